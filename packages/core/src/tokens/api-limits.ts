import { err, ok, type Result } from 'neverthrow';
import { tryCall, type Unavailable } from '../runtime/call-port.ts';
import type { DurationMs } from '../runtime/time.ts';
import type { LimitRule, RateLimiter } from './rate-limiter.ts';

/**
 * Limits of one client with valid credentials. Beyond a limit, requests get 429 with `Retry-After`, `RateLimit` and
 * `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). While the limiter fails, limited requests get 503.
 * @public
 */
export interface ApiLimits {
  /** Successful logins of one client. @defaultValue no limit */
  readonly loginsPerClient?: LimitRule;
  /** Calls of one client with a valid token, whatever their response. @defaultValue no limit */
  readonly callsPerClient?: LimitRule;
}

/**
 * A client exceeds `apiLimits`: HTTP 429.
 * @internal
 */
export interface TooManyRequests {
  /** The client exceeds a limit. */
  readonly code: 'too_many_requests';
  /** The limit. */
  readonly policy: 'logins' | 'calls';
  /** The rule of the limit. */
  readonly rule: LimitRule;
  /** Time until the next point is free, in milliseconds. */
  readonly wait: DurationMs;
}

/** @internal */
export type TakeLimit = (clientId: string) => Promise<Result<void, TooManyRequests | Unavailable>>;

/** Takes a point of a limit at each call. `undefined` without a rule. @internal */
export const takeLimit = (
  limiter: RateLimiter,
  policy: 'logins' | 'calls',
  rule: LimitRule | undefined,
): TakeLimit | undefined =>
  rule &&
  (async (clientId) => {
    const wait = await tryCall(() => limiter.take(`api-${policy}:${clientId}`, rule));
    return wait.andThen<Result<void, TooManyRequests>>((time) =>
      time > 0 ? err({ code: 'too_many_requests', policy, rule, wait: time }) : ok(undefined),
    );
  });
