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

/** The retries of a sender for development: the same number, none later than after 5 seconds. @internal */
export const developmentSchedule: readonly DurationMs[] = retrySchedule.map((wait) => Math.min(wait, 5 * second));

/** So many attempts exhaust a delivery. @public */
export const mostAttempts: number = retrySchedule.length + 1;

/** A receiver may ask for more time, but not for more than this. */
const longestRetryAfter = 24 * hour;

/** The three forms of an HTTP date (RFC 9110 §5.6.7); `Date.parse` alone makes a date of almost anything. */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, [\w :-]{16,30} GMT$/;
const asctimeDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;
const seconds = /^\s*\d+\s*$/;

const parseWait = (text: string, now: number): DurationMs => {
  if (seconds.test(text)) return Number(text) * second;
  if (httpDate.test(text)) return Date.parse(text) - now;
  // This form names no zone, and means UTC.
  return asctimeDate.test(text) ? Date.parse(`${text} GMT`) - now : Number.NaN;
};

/** Whether a `Retry-After` header asks for something (RFC 9110 §10.2.3), in so many signs as that takes. @internal */
export const isRetryAfter = (text: string): boolean => text.length <= 64 && !Number.isNaN(parseWait(text, 0));

const askedFor = (retryAfter: string | undefined, now: number): DurationMs => {
  const wait = retryAfter === undefined ? 0 : parseWait(retryAfter, now);
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), longestRetryAfter);
};

/**
 * The wait after attempt number `attempt` failed, or `undefined` when it was the last. `jitter` in [0, 1) adds up to a
 * tenth: never early. `Retry-After` can only lengthen it, to 24 hours at most. `schedule` is {@link retrySchedule} by default.
 * @public
 */
export const retryDelay = (
  attempt: number,
  outcome: SendOutcome,
  jitter: number,
  now: number,
  schedule: readonly DurationMs[] = retrySchedule,
): DurationMs | undefined => {
  const scheduled = schedule[attempt - 1];
  if (scheduled === undefined) return undefined;
  const asked = outcome.kind === 'answered' ? askedFor(outcome.retryAfter, now) : 0;
  return Math.max(Math.ceil(scheduled * (1 + jitter / 10)), asked);
};

/** 410: there is nobody any more. @internal */
export const isGone = (outcome: SendOutcome): boolean => outcome.kind === 'answered' && outcome.status === 410;

/**
 * How long a receiver asks that its whole endpoint be left alone: `Retry-After` of a 429 or 503, 24 hours at most. With another status it
 * is about that delivery alone.
 * @public
 */
export const pauseAskedFor = (outcome: SendOutcome, now: number): DurationMs =>
  outcome.kind === 'answered' && (outcome.status === 429 || outcome.status === 503)
    ? askedFor(outcome.retryAfter, now)
    : 0;

/** Any 2xx status confirms receipt (specification §4.3); a redirect does not. @public */
export const isDelivered = (outcome: SendOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
