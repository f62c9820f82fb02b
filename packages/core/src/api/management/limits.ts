import { ok, type Result } from '#result';
import { type LimitPolicy, limitKey, type TooManyRequests, takeLimit } from '../../access/tokens/api-limits.ts';
import type { LimitRule, RateLimiter } from '../../access/tokens/rate-limiter.ts';
import { tryCall, type Unavailable } from '../../base/runtime/call-port.ts';
import { day } from '../../base/runtime/time.ts';

/**
 * Limits of what is created for one account, by its persons and its clients together. Beyond a limit, requests get 429
 * with `Retry-After`; refused requests do not count. While the limiter fails, limited requests get 503.
 * @public
 */
export interface CreationLimits {
  /** API keys added. @defaultValue 20 in a day */
  readonly keysPerAccount: LimitRule;
  /** Webhook endpoints created; deleted ones count. @defaultValue 60 in a day */
  readonly endpointsPerAccount: LimitRule;
  /** Test events sent. @defaultValue 500 in a day */
  readonly testEventsPerAccount: LimitRule;
}

/** The defaults of {@link CreationLimits}. */
const defaults: CreationLimits = {
  keysPerAccount: { points: 20, window: day },
  endpointsPerAccount: { points: 60, window: day },
  testEventsPerAccount: { points: 500, window: day },
};

const policies = {
  keysPerAccount: 'keys',
  endpointsPerAccount: 'endpoints',
  testEventsPerAccount: 'test-events',
} as const satisfies Record<keyof CreationLimits, LimitPolicy>;

/** Counts what is created for an account. */
export interface CreationLimiter {
  /** Takes a point of a limit. */
  take(limited: keyof CreationLimits, accountId: string): Promise<Result<void, TooManyRequests | Unavailable>>;
  /** Gives a point back: nothing was created. */
  refund(limited: keyof CreationLimits, accountId: string): Promise<void>;
}

export const createCreationLimiter = (limiter: RateLimiter, given: Partial<CreationLimits> = {}): CreationLimiter => ({
  take: async (limited, accountId) =>
    (await takeLimit(limiter, policies[limited], given[limited] ?? defaults[limited])?.(accountId)) ?? ok(undefined),
  refund: async (limited, accountId) => {
    const refunded = await tryCall(() => limiter.refund(limitKey(policies[limited], accountId)));
    // The account then has one less until the day is over.
    refunded.unwrapOr(undefined);
  },
});
