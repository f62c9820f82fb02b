import type { EpochSeconds } from '../runtime/time.ts';
import type { AccountRow } from './rows.ts';

/**
 * Claims a second for an event of an object. Returns `false` and changes nothing when another event has it.
 * @internal
 */
export const claimSecond = ({ seconds }: AccountRow, objectId: string, second: EpochSeconds): boolean => {
  const known = seconds.get(objectId);
  if (!known) {
    seconds.set(objectId, [second]);
    return true;
  }
  if (second > (known[known.length - 1] as EpochSeconds)) {
    known.push(second);
    return true;
  }
  if (known.includes(second)) return false;
  known.push(second);
  known.sort((a, b) => a - b);
  return true;
};

/** Releases a claimed second. @internal */
export const releaseSecond = ({ seconds }: AccountRow, objectId: string, second: EpochSeconds): void => {
  const known = seconds.get(objectId);
  const at = known?.indexOf(second) ?? -1;
  if (!known || at < 0) return;
  known.splice(at, 1);
  if (known.length === 0) seconds.delete(objectId);
};

/** The second that the next event of an object must exceed. @internal */
export const lastSecond = ({ seconds, shard }: AccountRow, objectId: string): EpochSeconds | undefined => {
  const last = seconds.get(objectId)?.at(-1);
  const { prunedSecond } = shard;
  return last === undefined || prunedSecond === undefined ? (last ?? prunedSecond) : Math.max(last, prunedSecond);
};
