import type { ResultAsync } from 'neverthrow';
import { z } from 'zod';
import type { EventPairs } from '../catalogue/pairs.ts';
import type { InvalidCursor } from '../pagination/cursor.ts';
import type { Unavailable } from '../runtime/call-port.ts';
import type { Failure, InvalidInput } from '../runtime/failure.ts';
import type { ManagementLimits } from './limits.ts';
import type { ManagedBy } from './managed-by.ts';
import type { ManagementPart, ManagementSession } from './session.ts';

/** The calls of a kit, bound to the person and the version of the request. @internal */
export type Managed = ManagedBy<never, EventPairs>;

/** One call of an operation. @internal */
interface ManagementCall<Q, B> {
  /** Who sends the request. */
  readonly session: ManagementSession;
  /** The account of the session. */
  readonly accountId: string;
  /** The values of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The query. */
  readonly query: Q;
  /** The body. */
  readonly input: B;
  /** The calls of the kit. */
  readonly managed: Managed;
}

/** What an operation answers. @internal */
export interface ManagementAnswer {
  /** The JSON body. Absent: none. */
  readonly body?: unknown;
  /** The version of the object, for `ETag`. */
  readonly version?: number;
  /** The id of a new object, for `Location`. */
  readonly createdId?: string;
}

/** Why an operation failed. @internal */
export type ManagementFailure = Failure | InvalidInput | InvalidCursor | Unavailable;

/** One row of the route table. @internal */
export interface ManagementOperation<Q extends z.ZodObject = z.ZodObject, B extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below the base path. */
  readonly path: `/${string}`;
  /** The part of the interface that a session needs; to read for GET, else to write. Absent: any session will do. */
  readonly part?: ManagementPart;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** HTTP status of a success. */
  readonly status: 200 | 201 | 202 | 204;
  readonly query: Q;
  readonly body: B;
  /** Whether the domain reads the body by the schema: it is handed over as sent. */
  readonly isReadByDomain?: boolean;
  /** Schema of the answer. Absent: no body. */
  readonly answer?: z.ZodType;
  /** Whether `If-Match` is honoured. */
  readonly isConditional?: boolean;
  /** Whether the answer has an `ETag`. */
  readonly hasVersion?: boolean;
  /** The limit that each success counts towards. */
  readonly limit?: keyof ManagementLimits;
  /** Codes of refusals. */
  readonly codes: readonly string[];
  handle(call: ManagementCall<z.output<Q>, z.output<B>>): ResultAsync<ManagementAnswer, ManagementFailure>;
}

/** The query of an operation without parameters. @internal */
export const noQuery = z.strictObject({});
/** The body of an operation without input. @internal */
export const noBody = z.strictObject({}).optional();

/** Adds a row to the route table. @internal */
export const operation = <Q extends z.ZodObject = typeof noQuery, B extends z.ZodType = typeof noBody>(
  row: Omit<ManagementOperation<Q, B>, 'query' | 'body'> & { readonly query?: Q; readonly body?: B },
  // The handler gets what its own schemas have read.
): ManagementOperation => ({ query: noQuery, body: noBody, ...row }) as unknown as ManagementOperation;
