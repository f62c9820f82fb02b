import { isOutcomeUnknown } from '../runtime/port-limit.ts';
import { type DurationMs, second } from '../runtime/time.ts';
import type { TooManyRequests } from '../tokens/api-limits.ts';
import type { GrantFailure } from '../tokens/grant.ts';
import type { LimitRule } from '../tokens/rate-limiter.ts';
import { requiredScope } from '../tokens/scope.ts';
import { statusOfCode } from './codes.ts';
import { problemResponse } from './problem.ts';
import type { HttpResponse } from './route.ts';

/**
 * A failure of a host's route, answered as a problem document (RFC 9457).
 * @public
 */
export interface RouteRefusal {
  /** The route refuses the request with `status` and `problem`. */
  readonly code: 'refused';
  /** HTTP status, 400 to 499. */
  readonly status: number;
  /** Members of the problem document. */
  readonly problem: {
    /** Stable code, for programs. */
    readonly code: string;
    /** What to do, for people. */
    readonly detail: string;
    /** The single errors, one for each wrong field. */
    readonly errors?: readonly {
      /** The error and its place. */
      readonly detail: string;
    }[];
  };
  /** Further headers with lower-case names, such as `accept` of a 415 or `retry-after` of a 429. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A failure that a host's handler can return in place of a response: `not_found` (404), `too_large` (413),
 * `unavailable` (503) or a refusal. It is answered as a problem document with a request id; `unavailable` is also
 * signalled.
 * @public
 */
export type RouteFailure =
  | { readonly code: 'not_found' | 'too_large' }
  | {
      readonly code: 'unavailable';
      /** The error of the infrastructure, for the signal. Partners do not see it. */
      readonly cause: unknown;
    }
  | RouteRefusal;

/**
 * Every failure of a request under `basePath` (specification §7).
 * @public
 */
export type HttpFailure =
  | {
      /**
       * A malformed login (RFC 6749 §5.2).
       *
       * - `invalid_request` (400, 413, 415): a parameter is missing or repeated, or the body is malformed.
       * - `unsupported_grant_type` (400): the grant type is not `client_credentials`.
       * - `invalid_scope` (400): the scope is not `USER`.
       */
      readonly code: 'invalid_request' | 'unsupported_grant_type' | 'invalid_scope';
      /** The problem and what to change. */
      readonly detail: string;
      /** HTTP status. @defaultValue 400 */
      readonly status?: 413 | 415;
      /** Of a 415: the accepted formats (RFC 9110 §15.5.16). */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | GrantFailure
  | TooManyRequests
  | {
      /**
       * A request to another route (RFC 6750 §3, RFC 9457).
       *
       * - `missing_token` (401): the request has no `Authorization` header with the scheme `Bearer`.
       * - `repeated_token` (400): there is more than one `Authorization` header.
       * - `invalid_token` (401): the token is malformed, expired or revoked, or its client is disabled.
       * - `insufficient_scope` (403): the token does not have the scope `USER`.
       * - `account_not_active` (403): `mayUseApi` or `inactiveChildren` refuses the account.
       * - `not_found` (404): the path or the account does not exist, or the client cannot access the account.
       * - `too_large` (413): the body exceeds the `maxBodyBytes` of the route.
       */
      readonly code:
        | 'missing_token'
        | 'repeated_token'
        | 'invalid_token'
        | 'insufficient_scope'
        | 'account_not_active'
        | 'not_found'
        | 'too_large';
    }
  | {
      /** 400: the path is malformed, or the connection closed before the whole body arrived. */
      readonly code: 'bad_request';
      /** The problem. */
      readonly detail: string;
    }
  | {
      /** 405: the path does not serve this method. */
      readonly code: 'method_not_allowed';
      /** The methods that the path serves, for the header `Allow`. */
      readonly allow: readonly string[];
    }
  | {
      /** `unavailable` (503): a port failed; try again. `internal` (500): partnerkit or a handler of the host threw. */
      readonly code: 'unavailable' | 'internal';
      /** The error; `onError` receives it, and no response contains it. */
      readonly cause: unknown;
    }
  | RouteRefusal;

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

const limited = {
  calls: 'calls',
  keys: 'new API keys',
  endpoints: 'new webhook endpoints',
  'test-events': 'test events',
} as const;

const bearer = (error = ''): Readonly<Record<string, string>> => ({
  'www-authenticate': `Bearer realm="partner"${error && `, error="${error}"`}`,
});

const problem = (code: string, detail: string, options: Parameters<typeof problemResponse>[3] = {}): HttpResponse =>
  problemResponse(statusOfCode(code), code, detail, options);

const undecided = 'Nothing was decided; try again shortly.';
const unknownOutcome =
  'The outcome is unknown: repeat the request with the same Idempotency-Key; without one, read before you repeat.';

/**
 * Turns a failure into an HTTP response. The response contains nothing of a `cause`.
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
        : problem(failure.code, `Too many ${limited[policy]}; wait as Retry-After says.`, { headers });
    }
    case 'login_unavailable':
      return oauth(503, 'temporarily_unavailable', undecided, { 'retry-after': '5' });
    case 'missing_token':
      return problem(failure.code, 'Send the access token as "Authorization: Bearer <token>".', {
        headers: bearer(),
      });
    case 'repeated_token':
      return problem('invalid_request', 'Send one Authorization header.', {
        headers: bearer('invalid_request'),
      });
    case 'invalid_token':
      return problem(failure.code, 'The access token is wrong, expired or revoked; log in again.', {
        headers: bearer(failure.code),
      });
    case 'insufficient_scope':
      return problem(failure.code, `The access token needs the scope ${requiredScope}.`, {
        headers: {
          'www-authenticate': `Bearer realm="partner", error="insufficient_scope", scope="${requiredScope}"`,
        },
      });
    case 'account_not_active':
      return problem(failure.code, 'This account may not use the interface.');
    case 'not_found':
      return problem(failure.code, 'There is nothing here that this client may access.');
    case 'too_large':
      return problem(failure.code, 'The body is larger than this path takes.');
    case 'bad_request':
      return problem(failure.code, failure.detail);
    case 'method_not_allowed':
      return problem(failure.code, 'This path does not take that method; Allow names those it takes.', {
        headers: {
          allow: failure.allow.join(', '),
        },
      });
    case 'refused': {
      const { code, detail, errors } = failure.problem;
      return problemResponse(failure.status, code, detail, {
        headers: failure.headers,
        members: errors ? { errors } : {},
      });
    }
    case 'unavailable':
      return problem(failure.code, isOutcomeUnknown(failure.cause) ? unknownOutcome : undecided, {
        headers: { 'retry-after': '5' },
      });
    case 'internal':
      return problem(failure.code, 'The platform failed on this request.');
  }
};
