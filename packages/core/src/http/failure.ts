import { type DurationMs, second } from '../runtime/time.ts';
import type { Unavailable } from '../runtime/unavailable.ts';
import type { LimitRule } from '../tokens/rate-limiter.ts';
import { requiredScope } from '../tokens/scope.ts';
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
  /** Lower-case names: `accept` of a 415, `retry-after` of a 429. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What a host's own handler may answer in place of a response: it becomes the same problem document as elsewhere, with a request id;
 * `unavailable` is signalled as well.
 * @public
 */
export type RouteFailure = { readonly code: 'not_found' | 'too_large' } | Unavailable | Refused;

/**
 * A client logs in or calls more often than `apiLimits` allows.
 * @internal
 */
export interface TooManyRequests {
  readonly code: 'too_many_requests';
  readonly policy: 'logins' | 'calls';
  readonly rule: LimitRule;
  readonly wait: DurationMs;
}

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
      /** What a 415 says of what is accepted (RFC 9110 §15.5.16). */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly code: 'invalid_client' }
  | { readonly code: 'too_many_attempts'; readonly retryAfterSeconds: number }
  | { readonly code: 'login_unavailable'; readonly cause: unknown }
  | TooManyRequests
  /** Every other route (RFC 6750 §3, RFC 9457). */
  | {
      readonly code:
        | 'missing_token'
        | 'repeated_token'
        | 'invalid_token'
        | 'insufficient_scope'
        | 'account_not_active'
        | 'not_found'
        | 'too_large';
    }
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

const limitHeaders = (policy: string, rule: LimitRule, wait: DurationMs): Readonly<Record<string, string>> => {
  const seconds = Math.ceil(wait / second);
  return {
    'retry-after': String(seconds),
    'ratelimit-policy': `"${policy}";q=${rule.points};w=${Math.ceil(rule.window / second)}`,
    ratelimit: `"${policy}";r=0;t=${seconds}`,
  };
};

const bearer = (error = ''): Readonly<Record<string, string>> => ({
  'www-authenticate': `Bearer realm="partner"${error && `, error="${error}"`}`,
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
      return oauth(failure.status ?? 400, failure.code, failure.detail, failure.headers);
    case 'invalid_client':
      return oauth(401, 'invalid_client', 'Unknown client, wrong secret, or a client that may not log in.', {
        'www-authenticate': 'Basic realm="partner"',
      });
    case 'too_many_attempts':
      return oauth(429, 'too_many_attempts', 'Too many failed logins; wait as Retry-After says.', {
        'retry-after': String(failure.retryAfterSeconds),
      });
    case 'too_many_requests': {
      const { policy, rule, wait } = failure;
      const headers = limitHeaders(policy, rule, wait);
      return policy === 'logins'
        ? oauth(429, failure.code, 'Too many logins; use the access token until it expires.', headers)
        : problemResponse(429, failure.code, 'Too many calls; wait as Retry-After says.', headers);
    }
    case 'login_unavailable':
      return oauth(503, 'temporarily_unavailable', 'Nothing was decided; try again shortly.', { 'retry-after': '5' });
    case 'missing_token':
      return problemResponse(401, failure.code, 'Send the access token as "Authorization: Bearer <token>".', bearer());
    case 'repeated_token':
      return problemResponse(400, 'invalid_request', 'Send one Authorization header.', bearer('invalid_request'));
    case 'invalid_token':
      return problemResponse(
        401,
        failure.code,
        'The access token is wrong, expired or revoked; log in again.',
        bearer(failure.code),
      );
    case 'insufficient_scope':
      return problemResponse(403, failure.code, `The access token needs the scope ${requiredScope}.`, {
        'www-authenticate': `Bearer realm="partner", error="insufficient_scope", scope="${requiredScope}"`,
      });
    case 'account_not_active':
      return problemResponse(403, failure.code, 'This account may not use the interface.');
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
      return problemResponse(failure.status, code, detail, failure.headers, errors ? { errors } : {});
    }
    case 'unavailable':
      return problemResponse(503, failure.code, 'Nothing was decided; try again shortly.', { 'retry-after': '5' });
    case 'internal':
      return problemResponse(500, failure.code, 'The platform failed on this request.');
  }
};
