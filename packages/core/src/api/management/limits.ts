import { ok, type Result } from '#result';
import { limitKey, type TooManyRequests, takeLimit } from '../../access/tokens/api-limits.ts';
import type { LimitRule, RateLimiter } from '../../access/tokens/rate-limiter.ts';
import { tryCall, type Unavailable } from '../../base/runtime/call-port.ts';
import { exactly, type OptionRules, optional, wholeNumber } from '../../base/runtime/option-rules.ts';
import { day } from '../../base/runtime/time.ts';

/**
 * Limits of what the sessions of one account create, all persons together. Beyond a limit, requests get 429 with
 * `Retry-After`; refused requests do not count. While the limiter fails, limited requests get 503.
 * @public
 */
export interface ManagementLimits {
  /** API keys added. @defaultValue 20 in a day */
  readonly keys: LimitRule;
  /** Webhook endpoints created; deleted ones count. @defaultValue 60 in a day */
  readonly endpoints: LimitRule;
  /** Test events sent. @defaultValue 500 in a day */
  readonly testEvents: LimitRule;
}

const defaults: ManagementLimits = {
  keys: { points: 20, window: day },
  endpoints: { points: 60, window: day },
  testEvents: { points: 500, window: day },
};

const rule = optional(exactly({ points: wholeNumber(1), window: wholeNumber(1) }));

/** The rule of the option `limits`. */
export const limitsRule = optional(
  exactly({ keys: rule, endpoints: rule, testEvents: rule } satisfies OptionRules<keyof ManagementLimits>),
);

const policies = { keys: 'keys', endpoints: 'endpoints', testEvents: 'test-events' } as const;

/** Counts what the sessions of an account create. */
export interface ManagementLimiter {
  /** Takes a point of a limit. */
  take(limited: keyof ManagementLimits, accountId: string): Promise<Result<void, TooManyRequests | Unavailable>>;
  /** Gives a point back: nothing was created. */
  refund(limited: keyof ManagementLimits, accountId: string): Promise<void>;
}

export const createManagementLimiter = (
  limiter: RateLimiter,
  given: Partial<ManagementLimits> = {},
): ManagementLimiter => ({
  take: async (limited, accountId) =>
    (await takeLimit(limiter, policies[limited], given[limited] ?? defaults[limited])?.(accountId)) ?? ok(undefined),
  refund: async (limited, accountId) => {
    const refunded = await tryCall(() => limiter.refund(limitKey(policies[limited], accountId)));
    // The account then has one less until the day is over.
    refunded.unwrapOr(undefined);
  },
});
