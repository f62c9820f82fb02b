import { z } from 'zod';
import type { Result, ResultAsync } from '#result';
import type { NeededRight } from '../../base/accounts/rights.ts';
import type { Deprecation } from '../../base/http/deprecation.ts';
import type { HttpRequest, HttpResponse, RouteOperation } from '../../base/http/route.ts';
import type { VersionCondition } from '../../base/runtime/if-version.ts';
import { once } from '../../base/runtime/once.ts';
import type { Code } from './codes.ts';
import type { HttpFailure } from './failure.ts';

/**
 * A successful answer of an operation.
 * @public
 */
export interface OperationAnswer {
  /** What the answer means. */
  readonly description: string;
  /** Schema of the JSON body. Absent: no body. */
  readonly schema?: z.ZodType;
  /** Media type of the body. @defaultValue 'application/json' */
  readonly type?: string;
  /** Descriptions of headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A refusal: a code of the library, or a code of your own with its HTTP status.
 * @public
 */
export type Refused =
  | Code
  | {
      /** The `code` of the problem document. */
      readonly code: string;
      /** HTTP status, 400 to 499. */
      readonly status: number;
    };

/**
 * What an operation reads, answers and refuses. The same words run and document: the kit reads the query, the body and
 * the headers by them, refuses what is wrong, and lists these refusals in the OpenAPI document.
 * @public
 */
export interface AccountOperation<
  Q extends z.ZodObject | undefined = z.ZodObject | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** Unique name, in camel case. */
  readonly operationId: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** Rules that the schemas do not state, in Markdown. */
  readonly description?: string;
  /** The group that it is shown in. */
  readonly tag: string;
  /** Schema of the query; what it does not accept is 400 `invalid_query`. @defaultValue the query is not read */
  readonly query?: Q;
  /**
   * Schema of the JSON body; what it does not accept is 400 `invalid_input`. With `bodyTypes` that are not JSON, only
   * the document has it.
   * @defaultValue the body is not read
   */
  readonly body?: B;
  /** Media types of the body. @defaultValue `application/json`; of a PATCH also `application/merge-patch+json` */
  readonly bodyTypes?: readonly string[];
  /** Whether the handler gets the JSON body as it was sent, and checks it by the schema itself. @defaultValue false */
  readonly readsBodyItself?: boolean;
  /**
   * Whether what it reads or changes has an `ETag`, so that it honours `If-Match` and `If-None-Match` (RFC 9110 §13.1).
   * The kit applies them to a 200 of GET by its `etag`: 412 `version_mismatch`, or 304. Any other handler gets
   * `ifVersion`, and refuses other versions with 412 `version_mismatch`.
   * @defaultValue false
   */
  readonly conditional?: boolean;
  /**
   * Whether the handler acts once for each `Idempotency-Key`, and refuses the key of another request with 422
   * `idempotency_conflict`, as `idempotentHandler` does. Clients then repeat it. `'required'`: a request without a key
   * is 400 `bad_request`.
   * @defaultValue false
   */
  readonly idempotent?: boolean | 'required';
  /** Successful answers, by HTTP status. */
  readonly answers: Readonly<Record<number, OperationAnswer>>;
  /** What the handler refuses, beside what follows from the other members. @defaultValue nothing */
  readonly refuses?: readonly Refused[];
  /** Whether a hook of yours may refuse it with any code, and any status from 400 to 499. @defaultValue false */
  readonly refusesMore?: boolean;
  /** Says in the document, and in each answer by `Deprecation` and `Sunset`, that it should no longer be used. */
  readonly deprecated?: Deprecation;
}

/**
 * What a kit has read of a request, by the words of its operation.
 * @public
 */
export interface OperationInput<Q = undefined, B = undefined> {
  /** The query. `undefined`: the operation describes none. */
  readonly query: Q;
  /** The body. `undefined`: the operation describes none in JSON. */
  readonly body: B;
  /** The body's text; empty when the operation describes none. */
  readonly bodyText: string;
  /** The versions that `If-Match` and `If-None-Match` allow. `undefined`: any. */
  readonly ifVersion: VersionCondition | undefined;
  /** The `Idempotency-Key`, if any. */
  readonly idempotencyKey: string | undefined;
}

/** What a schema reads; `undefined` without one. @public */
export type Read<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

/** How the caller of an operation is authenticated, and what is answered if it is not. */
export interface Authentication<C> {
  /**
   * By an access token, by the host's session, by the id and secret of a client (in the body or by HTTP Basic), or not
   * at all.
   */
  readonly by: 'token' | 'session' | 'client' | 'none';
  /** Everything that it refuses. */
  readonly refuses: readonly Refused[];
  /** Admits a caller. */
  admit(
    request: HttpRequest | Omit<HttpRequest, 'body'>,
    params: Readonly<Record<string, string>>,
  ): Promise<Result<C, HttpFailure>> | Result<C, HttpFailure>;
}

/** One call of an operation. */
export interface Call<C, Q, B> extends OperationInput<Q, B> {
  /** Who sends the request. */
  readonly caller: C;
  /** The values of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The request. Its body is empty when the operation reads none. */
  readonly request: HttpRequest;
  /**
   * Admits the caller again, between two parts of a long call. It counts as one more call, and is refused as a request
   * would be now; also when the connection has closed.
   */
  readonly admitAgain: () => Promise<Result<unknown, HttpFailure>>;
}

/** What an operation answers. */
export interface Answer {
  /** The JSON body. Absent: none. */
  readonly body?: unknown;
  /** The version of the object, for `ETag`. Absent: the `ETag` of a conditional read names the body. */
  readonly version?: number;
  /** Identifies the parts of the body that change without a new version, for `ETag`: 16 hex digits. */
  readonly variant?: string;
  /** The id of a new object, for `Location`. */
  readonly createdId?: string;
}

/** What a handler answers, now or later. */
export type Answered<A> = Result<A, HttpFailure> | Promise<Result<A, HttpFailure>> | ResultAsync<A, HttpFailure>;

/** One row: everything about a method of a path. Routes and the document are made of it. */
export interface Operation<
  C = unknown,
  Q extends z.ZodObject | undefined = z.ZodObject | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
> extends AccountOperation<Q, B> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | (string & Record<never, never>);
  readonly path: `/${string}`;
  /** Headers of every success. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The right that an API key needs. Absent: no API key calls it. */
  readonly right?: NeededRight;
  /** Maximum size of the body in bytes. @defaultValue 0 */
  readonly maxBodyBytes?: number;
  /** Reads the body, in place of JSON by the schema. */
  readonly read?: (request: HttpRequest) => Result<unknown, HttpFailure>;
  handle(call: Call<C, Read<Q>, Read<B>>): Answered<Answer | HttpResponse>;
}

/** An operation that API keys call: it says which right they need. */
export type KeyOperation<
  C = unknown,
  Q extends z.ZodObject | undefined = z.ZodObject | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
> = Operation<C, Q, B> & { readonly right: NeededRight };

/** An operation as the document has it, with every refusal. */
export interface DescribedOperation extends Omit<AccountOperation, 'refuses'>, RouteOperation {
  readonly method: string;
  readonly operationId: string;
  readonly by: Authentication<unknown>['by'];
  /** The right that an API key needs. Absent: no API key calls it. */
  readonly right?: NeededRight;
  /** Everything that is refused: by the row's shape, its authentication and its handler. */
  readonly refuses: readonly { readonly code: string; readonly status: number }[];
}

/** The body of an operation without input: no fields. The document leaves it out. */
export const noInput = once(() => z.strictObject({}).optional());
