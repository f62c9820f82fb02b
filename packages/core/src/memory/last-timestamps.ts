import type { EpochSeconds } from '../runtime/time.ts';
import type { AccountRow } from './rows.ts';

/**
 * Claims a timestamp for an event of an object. Returns `false` and changes nothing when another event has it.
 * @internal
 */
export const claimTimestamp = ({ timestamps }: AccountRow, objectId: string, timestamp: EpochSeconds): boolean => {
  const known = timestamps.get(objectId);
  if (!known) {
    timestamps.set(objectId, [timestamp]);
    return true;
  }
  if (timestamp > (known[known.length - 1] as EpochSeconds)) {
    known.push(timestamp);
    return true;
  }
  if (known.includes(timestamp)) return false;
  known.push(timestamp);
  known.sort((a, b) => a - b);
  return true;
};

/** Releases a claimed timestamp. @internal */
export const releaseTimestamp = ({ timestamps }: AccountRow, objectId: string, timestamp: EpochSeconds): void => {
  const known = timestamps.get(objectId);
  const at = known?.indexOf(timestamp) ?? -1;
  if (!known || at < 0) return;
  known.splice(at, 1);
  if (known.length === 0) timestamps.delete(objectId);
};

/** The timestamp that the next event of an object must exceed. @internal */
export const lastTimestamp = ({ timestamps, shard }: AccountRow, objectId: string): EpochSeconds | undefined => {
  const last = timestamps.get(objectId)?.at(-1);
  const { prunedTimestamp } = shard;
  return last === undefined || prunedTimestamp === undefined
    ? (last ?? prunedTimestamp)
    : Math.max(last, prunedTimestamp);
};
