import { type DurationMs, type EpochMs, type EpochSeconds, minute, second, toSeconds } from '../runtime/time.ts';

/**
 * The second of the next event of an object: when it happened, but never in the future, and always after the object's last
 * event. So no two events share (`data.id`, timestamp), on which a receiver may deduplicate (specification §6.5).
 * @public
 */
export const stampSecond = (occurredAt: EpochMs, now: EpochMs, last: EpochSeconds | undefined): EpochSeconds =>
  Math.max(toSeconds(Math.min(occurredAt, now)), last === undefined ? 0 : last + 1);

/** How far a second may run ahead of the clock before its delivery waits. Receivers may allow little more. */
const tolerated: DurationMs = minute;

/** How long a delivery waits because its second runs more than a minute ahead of the clock. @public */
export const aheadBy = (timestamp: EpochSeconds, now: EpochMs): DurationMs =>
  Math.max(timestamp * second - now - tolerated, 0);
