import { type DurationMs, type EpochMs, hour, minute, second } from '../../base/runtime/time.ts';
import type { SendOutcome } from '../deliveries/sender.ts';

/**
 * The default delay after each failed attempt: the first entry follows the first attempt. With the immediate first
 * attempt: 10 attempts over about three days.
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

/** The retries of a sender for development: the same number, each after at most 5 seconds. */
export const inDevelopment = (schedule: readonly DurationMs[]): readonly DurationMs[] =>
  schedule.map((wait) => Math.min(wait, 5 * second));

export const developmentSchedule: readonly DurationMs[] = inDevelopment(retrySchedule);

/** The number of attempts that exhausts a delivery, by default. @public */
export const maxAttempts: number = retrySchedule.length + 1;

/** Maximum effect of `Retry-After`. */
export const longestRetryAfter = 24 * hour;

/** The forms of an HTTP date (RFC 9110 §5.6.7). `Date.parse` alone accepts almost any text. */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, [\w :-]{16,30} GMT$/;
const asctimeDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;
const seconds = /^\s*\d+\s*$/;

const parseWait = (text: string, now: number): DurationMs => {
  if (seconds.test(text)) return Number(text) * second;
  if (httpDate.test(text)) return Date.parse(text) - now;
  // This form has no zone and means UTC.
  return asctimeDate.test(text) ? Date.parse(`${text} GMT`) - now : Number.NaN;
};

/** Whether a `Retry-After` header is valid (RFC 9110 §10.2.3) and at most 64 characters long. */
export const isRetryAfter = (text: string): boolean => text.length <= 64 && !Number.isNaN(parseWait(text, 0));

const parseRetryAfter = (retryAfter: string | undefined, now: number): DurationMs => {
  const wait = parseWait(retryAfter ?? '', now);
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), longestRetryAfter);
};

/** A delay that is up to a tenth longer. `jitter`: a number in [0, 1). */
export const jittered = (delay: DurationMs, jitter: number): DurationMs => Math.ceil(delay * (1 + jitter / 10));

/**
 * The delay after failed attempt number `attempt`, in milliseconds; `undefined` after the last attempt.
 * `Retry-After` can only lengthen the delay, to at most 24 hours.
 * @public
 */
export const retryDelay = (
  attempt: number,
  outcome: SendOutcome,
  {
    jitter,
    now,
    schedule = retrySchedule,
  }: {
    /** A number in [0, 1); adds up to a tenth of the delay. */
    readonly jitter: number;
    /** The current time, for a `Retry-After` with a date. */
    readonly now: EpochMs;
    /** The delay after attempt 1, 2, …. @defaultValue `retrySchedule` */
    readonly schedule?: readonly DurationMs[];
  },
): DurationMs | undefined => {
  const scheduled = schedule[attempt - 1];
  if (scheduled === undefined) return undefined;
  const requested = outcome.kind === 'answered' ? parseRetryAfter(outcome.retryAfter, now) : 0;
  return Math.max(jittered(scheduled, jitter), requested);
};

/** Whether the receiver returned 410 Gone. */
export const isGone = (outcome: SendOutcome): boolean => outcome.kind === 'answered' && outcome.status === 410;

/**
 * How long a receiver pauses its whole endpoint, in milliseconds: `Retry-After` of a 429 or 503, at most 24 hours. With
 * another status, `Retry-After` applies to that delivery alone.
 * @public
 */
export const retryAfterPause = (outcome: SendOutcome, now: number): DurationMs =>
  outcome.kind === 'answered' && (outcome.status === 429 || outcome.status === 503)
    ? parseRetryAfter(outcome.retryAfter, now)
    : 0;

/** Whether a 2xx status confirms receipt (specification §4.3). A redirect does not. @public */
export const isDelivered = (outcome: SendOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
