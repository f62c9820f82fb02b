import { err, ok, type Result } from '#result';
import { tryCall, type Unavailable } from '../../base/runtime/call-port.ts';
import type { DurationMs } from '../../base/runtime/time.ts';
import type { LimitRule, RateLimiter } from './rate-limiter.ts';

/** The name of a limit, as `RateLimit-Policy` shows it. */
export type LimitPolicy = 'logins' | 'calls' | 'keys' | 'endpoints' | 'test-events';

/** A client exceeds a limit of its logins or calls, or an account the limits of the management API: HTTP 429. */
export interface TooManyRequests {
  /** A limit is exceeded. */
  readonly code: 'too_many_requests';
  /** The limit. */
  readonly policy: LimitPolicy;
  /** The rule of the limit. */
  readonly rule: LimitRule;
  /** Time until the next point is free, in milliseconds. */
  readonly wait: DurationMs;
}

export type TakeLimit = (id: string) => Promise<Result<void, TooManyRequests | Unavailable>>;

/** The key of a limit of one client or account. */
export const limitKey = (policy: LimitPolicy, id: string): string => `api-${policy}:${id}`;

/** Takes a point of a limit at each call. `undefined` without a rule. */
export const takeLimit = (
  limiter: RateLimiter,
  policy: LimitPolicy,
  rule: LimitRule | undefined,
): TakeLimit | undefined =>
  rule &&
  (async (id) => {
    const wait = await tryCall(() => limiter.take(limitKey(policy, id), rule));
    return wait.andThen<Result<void, TooManyRequests>>((time) =>
      time > 0 ? err({ code: 'too_many_requests', policy, rule, wait: time }) : ok(undefined),
    );
  });
