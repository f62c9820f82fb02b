import { err, ok, type Result } from 'neverthrow';
import type { TooManyRequests } from '../http/failure.ts';
import { outcomeOf, type Unavailable } from '../runtime/unavailable.ts';
import type { LimitRule, RateLimiter } from './rate-limiter.ts';

/**
 * Limits on what one client does with valid credentials. Past a limit it is answered 429 with `Retry-After`, `RateLimit` and
 * `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). While the limiter fails, what is limited is answered 503.
 * @public
 */
export interface ApiLimits {
  /** Successful logins of one client. @defaultValue no limit */
  readonly loginsPerClient?: LimitRule;
  /** Calls of one client with a valid token, whatever they are answered. @defaultValue no limit */
  readonly callsPerClient?: LimitRule;
}

/** @internal */
export type TakeLimit = (clientId: string) => Promise<Result<void, TooManyRequests | Unavailable>>;

/** Takes points of one limit. `undefined` without a rule: nothing is limited. @internal */
export const takeLimit = (
  limiter: RateLimiter,
  policy: 'logins' | 'calls',
  rule: LimitRule | undefined,
): TakeLimit | undefined =>
  rule &&
  (async (clientId) => {
    const wait = await outcomeOf(() => limiter.take(`api-${policy}:${clientId}`, rule));
    return wait.andThen<Result<void, TooManyRequests>>((time) =>
      time > 0 ? err({ code: 'too_many_requests', policy, rule, wait: time }) : ok(undefined),
    );
  });
