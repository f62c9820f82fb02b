import type { z } from 'zod';

/**
 * A response of an operation.
 * @public
 */
export interface OperationResponse {
  /** What the response means. */
  readonly description: string;
  /** Schema of the JSON body. Absent: no body. */
  readonly schema?: z.ZodType;
  /** Media type of the body. @defaultValue 'application/json' */
  readonly type?: string;
  /** Descriptions of headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Describes one method of a route, for the OpenAPI document. The schemas are those that run.
 * @public
 */
export interface Operation {
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Unique name, in camel case. */
  readonly operationId: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** Rules that the schemas do not state, in Markdown. */
  readonly description?: string;
  /** The group that it is shown in. */
  readonly tag: string;
  /** Schema of the query. */
  readonly query?: z.ZodObject;
  /** Request headers that it reads. */
  readonly requestHeaders?: readonly ('If-Match' | 'If-None-Match' | 'Idempotency-Key')[];
  /** Schema of the JSON body. Absent: no body. */
  readonly body?: z.ZodType;
  /** Media types of the body. @defaultValue `['application/json']` */
  readonly bodyTypes?: readonly string[];
  /** Whether the body can be left out. @defaultValue false */
  readonly isBodyOptional?: boolean;
  /** Successful responses, by HTTP status. */
  readonly responses: Readonly<Record<number, OperationResponse>>;
  /**
   * The codes of its problem documents by HTTP status, beside those of every operation.
   * @defaultValue none
   */
  readonly problems?: Readonly<Record<number, readonly string[]>>;
  /** Whether a hook of the host may refuse it with codes of its own, with any status from 400 to 499. */
  readonly hasOwnProblems?: boolean;
  /** `oauth2`: errors are those of RFC 6749, as the token endpoint answers them. @defaultValue problem documents */
  readonly problemFormat?: 'oauth2';
  /**
   * How the caller is authenticated: by an access token, by the host's session, by the id and secret of a client (in
   * the body or by HTTP Basic), or not at all.
   */
  readonly security: 'oauth2' | 'session' | 'client' | 'none';
}

/**
 * Describes an account route: authentication and the account are added.
 * @public
 */
export type AccountOperation = Omit<Operation, 'method' | 'security' | 'problemFormat'>;
