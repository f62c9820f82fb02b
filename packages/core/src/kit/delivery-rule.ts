import {
  every,
  exactly,
  listOf,
  must,
  type OptionRule,
  type OptionRules,
  optional,
  wholeNumber,
} from '../base/runtime/option-rules.ts';
import { day } from '../base/runtime/time.ts';
import type { DisableAfter } from '../webhooks/delivery-rules/breaker.ts';
import { type DeliveryPolicy, maxRetries, maxTimeout, minTimeout } from '../webhooks/delivery-rules/delivery-policy.ts';

const schedule = `must be a list of at most ${maxRetries} delays in milliseconds, such as [5_000, 300_000].`;
/** The rule of `webhooks.delivery`. */
export const deliveryRule: OptionRule = exactly({
  retrySchedule: optional(
    every(
      listOf(wholeNumber(1), schedule),
      must(schedule, (delays) => (delays as readonly unknown[]).length <= maxRetries),
      must(
        'must have at most 30 days together: receivers remember an event for 35 days.',
        (delays) => (delays as readonly number[]).reduce((sum, each) => sum + each, 0) <= 30 * day,
      ),
    ),
  ),
  timeout: optional(
    must(
      `must be a whole number of milliseconds from ${minTimeout} to ${maxTimeout}: a worker's lease outlives it.`,
      (value) => Number.isInteger(value) && (value as number) >= minTimeout && (value as number) <= maxTimeout,
    ),
  ),
  disableAfter: optional(
    exactly({
      failing: optional(wholeNumber(1)),
      failures: optional(wholeNumber(1)),
    } satisfies OptionRules<keyof DisableAfter>),
  ),
} satisfies OptionRules<keyof DeliveryPolicy>);
