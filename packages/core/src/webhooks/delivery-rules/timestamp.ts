import {
  type DurationMs,
  type EpochMs,
  type EpochSeconds,
  minute,
  second,
  toSeconds,
} from '../../base/runtime/time.ts';

/**
 * The timestamp of the next event of an object: the second when it happened, or now if that is in the future, but after
 * the object's last event. So no two events share (`data.id`, timestamp), by which a receiver deduplicates
 * (specification §6.5).
 * @example
 * const now = Date.now();
 * nextTimestamp(now, now, Math.floor(now / 1_000)); // a second after the last event of the object
 * @public
 */
export const nextTimestamp = (occurredAt: EpochMs, now: EpochMs, last: EpochSeconds | undefined): EpochSeconds =>
  Math.max(toSeconds(Math.min(occurredAt, now)), last === undefined ? 0 : last + 1);

/** How far a timestamp may be ahead of the clock. Receivers may tolerate little more. */
const tolerated: DurationMs = minute;

/**
 * How long a delivery waits because its timestamp is more than a minute ahead of the clock, in milliseconds.
 * @public
 */
export const aheadByMs = (timestamp: EpochSeconds, now: EpochMs): DurationMs =>
  Math.max(timestamp * second - now - tolerated, 0);
