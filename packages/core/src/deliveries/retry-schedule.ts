import { type DurationMs, hour, minute, second } from '../runtime/time.ts';
import type { SendOutcome } from './sender.ts';

/**
 * How long after a failed attempt the next one is made: the first entry after the first attempt. With the first attempt at
 * once that makes 10 attempts over about three days.
 * @public
 */
export const retrySchedule: readonly DurationMs[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** So many attempts exhaust a delivery. @public */
export const mostAttempts: number = retrySchedule.length + 1;

/** A receiver may ask for more time, but not for more than this. */
const longestRetryAfter = 24 * hour;

/** All forms of an HTTP date begin so (RFC 9110 §5.6.7); `Date.parse` alone makes a date of almost anything. */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/** `Retry-After` in seconds, or as a date (RFC 9110 §10.2.3); what is neither asks for nothing. */
const askedFor = (retryAfter: string | undefined, now: number): DurationMs => {
  if (retryAfter === undefined) return 0;
  const date = httpDate.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  const wait = /^\s*\d+\s*$/.test(retryAfter) ? Number(retryAfter) * second : date - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), longestRetryAfter);
};

/**
 * The wait after attempt number `attempt` failed, or `undefined` when it was the last. `jitter` in [0, 1) adds up to a
 * tenth: never early. `Retry-After` can only lengthen it, to 24 hours at most.
 * @public
 */
export const retryDelay = (
  attempt: number,
  outcome: SendOutcome,
  jitter: number,
  now: number,
): DurationMs | undefined => {
  const scheduled = retrySchedule[attempt - 1];
  if (scheduled === undefined) return undefined;
  const asked = outcome.kind === 'answered' ? askedFor(outcome.retryAfter, now) : 0;
  return Math.max(Math.ceil(scheduled * (1 + jitter / 10)), asked);
};

/** Any 2xx status confirms receipt (specification §4.3); a redirect does not. @public */
export const isDelivered = (outcome: SendOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
