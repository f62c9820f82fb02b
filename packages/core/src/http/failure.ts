import type { Unavailable } from '../runtime/unavailable.ts';
import { problemResponse } from './problem.ts';
import type { HttpResponse } from './route.ts';

/**
 * A refusal in the words of a host's own route, as a problem document (RFC 9457).
 * @public
 */
export interface Refused {
  readonly code: 'refused';
  /** 400 to 499. */
  readonly status: number;
  readonly problem: {
    /** Stable. */
    readonly code: string;
    /** What to do. */
    readonly detail: string;
    /** What is wrong where, one by one. */
    readonly errors?: readonly { readonly detail: string }[];
  };
}

/**
 * What a host's own handler may answer in place of a response: it becomes the same problem document as elsewhere, with a request id;
 * `unavailable` is signalled as well.
 * @public
 */
export type RouteFailure = { readonly code: 'not_found' | 'too_large' } | Unavailable | Refused;

/**
 * Everything that a request under `basePath` can fail with, login apart from the first group (specification §7).
 * @public
 */
export type HttpFailure =
  /** Login (RFC 6749 §5.2). */
  | {
      readonly code: 'invalid_request' | 'unsupported_grant_type' | 'invalid_scope';
      readonly detail: string;
      /** @defaultValue 400 */
      readonly status?: 413 | 415;
    }
  | { readonly code: 'invalid_client' /** The credentials came by HTTP Basic. */; readonly basic: boolean }
  | { readonly code: 'too_many_attempts'; readonly retryAfterSeconds: number }
  | { readonly code: 'login_unavailable'; readonly cause: unknown }
  /** Every other route (RFC 6750 §3, RFC 9457). */
  | { readonly code: 'missing_token' | 'invalid_token' | 'account_not_active' | 'not_found' | 'too_large' }
  | { readonly code: 'bad_request'; readonly detail: string }
  | { readonly code: 'method_not_allowed'; readonly allow: readonly string[] }
  | { readonly code: 'unavailable' | 'internal'; readonly cause: unknown }
  | Refused;

const oauth = (
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache', ...headers },
  body: JSON.stringify({ error, error_description: description }),
});

/**
 * The one place where a failure becomes an HTTP answer. Nothing of a `cause` gets into it.
 * @internal
 */
export const failureResponse = (failure: HttpFailure): HttpResponse => {
  switch (failure.code) {
    case 'invalid_request':
    case 'unsupported_grant_type':
    case 'invalid_scope':
      return oauth(failure.status ?? 400, failure.code, failure.detail);
    case 'invalid_client':
      return oauth(
        401,
        'invalid_client',
        'Unknown client, wrong secret, or a client that may not log in.',
        failure.basic ? { 'www-authenticate': 'Basic realm="partner"' } : {},
      );
    case 'too_many_attempts':
      return oauth(429, 'too_many_attempts', 'Too many failed logins; wait as Retry-After says.', {
        'retry-after': String(failure.retryAfterSeconds),
      });
    case 'login_unavailable':
      return oauth(503, 'temporarily_unavailable', 'Nothing was decided; try again shortly.', { 'retry-after': '5' });
    case 'missing_token':
      return problemResponse(401, failure.code, 'Send the access token as "Authorization: Bearer <token>".', {
        'www-authenticate': 'Bearer realm="partner"',
      });
    case 'invalid_token':
      return problemResponse(401, failure.code, 'The access token is wrong, expired or revoked; log in again.', {
        'www-authenticate': 'Bearer realm="partner", error="invalid_token"',
      });
    case 'account_not_active':
      return problemResponse(403, failure.code, 'The account of this client may not use the interface.');
    case 'not_found':
      return problemResponse(404, failure.code, 'There is nothing here that this client may access.');
    case 'too_large':
      return problemResponse(413, failure.code, 'The body is larger than this path takes.');
    case 'bad_request':
      return problemResponse(400, failure.code, failure.detail);
    case 'method_not_allowed':
      return problemResponse(405, failure.code, 'This path does not take that method; Allow names those it takes.', {
        allow: failure.allow.join(', '),
      });
    case 'refused': {
      const { code, detail, errors } = failure.problem;
      return problemResponse(failure.status, code, detail, {}, errors ? { errors } : {});
    }
    case 'unavailable':
      return problemResponse(503, failure.code, 'Nothing was decided; try again shortly.', { 'retry-after': '5' });
    case 'internal':
      return problemResponse(500, failure.code, 'The platform failed on this request.');
  }
};
