import type { SeenKeys } from '../dedup/seen-keys.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemClock } from '../runtime/system.ts';
import type { EpochMs } from '../runtime/time.ts';

/** A key in progress has a lease. One that is done has none, and shares its entry with those that are kept until the same time. */
interface Entry {
  readonly lease?: string | undefined;
  readonly until: EpochMs;
}

/**
 * How much is remembered in memory, and who is told of the rest.
 * @public
 */
export interface MemorySeenKeysOptions {
  readonly clock?: Clock;
  /** Maximum number of keys. The last half of them is kept in any case. Keys in progress may exceed it. @defaultValue 100,000 */
  readonly maxKeys?: number;
  /**
   * Told of keys that had to be forgotten before their time, many at once: a duplicate of theirs would be processed again. It
   * must not throw.
   */
  readonly onForgotten?: (keys: readonly string[]) => void;
}

/**
 * What a receiver has processed, in the memory of this process: a restart forgets it. Answers without a promise. Bounded: the oldest
 * that are done are forgotten when there are too many.
 * @example
 * const seen = memorySeenKeys({ onForgotten: (keys) => log.warn({ keys }, 'forgotten before their time') });
 * @public
 */
export const memorySeenKeys = ({
  clock = systemClock,
  maxKeys = 100_000,
  onForgotten,
}: MemorySeenKeysOptions = {}): SeenKeys => {
  // Two generations, swapped when the young one is full, so that no key is searched for. An entry of the old one counts only while the
  // young one has none of its key.
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();
  let full = maxKeys / 2;
  let leases = 0;
  let lastDone: Entry = { lease: undefined, until: 0 };

  const find = (key: string): Entry | undefined => young.get(key) ?? old.get(key);
  const isHeld = (key: string, lease: string): boolean => {
    const found = find(key);
    return found?.lease !== undefined && found.lease === lease;
  };
  const swap = (): void => {
    const now = clock.now();
    const claims = new Map<string, Entry>();
    const forgotten: string[] = [];
    for (const [key, entry] of old) {
      const isDone = entry.lease === undefined;
      if ((isDone && !onForgotten) || entry.until <= now || young.has(key)) continue;
      // What is in progress is not forgotten.
      if (isDone) forgotten.push(key);
      else claims.set(key, entry);
    }
    old = young;
    young = claims;
    // Many keys in progress would otherwise fill the young generation, and each claim would swap.
    full = Math.max(maxKeys / 2, 2 * claims.size);
    if (forgotten.length > 0) onForgotten?.(forgotten);
  };

  return {
    claim: (key, lease) => {
      const now = clock.now();
      const found = find(key);
      if (found && found.until > now) return { kind: found.lease === undefined ? 'done' : 'in_progress' };
      const own = String(leases++);
      if (young.size >= full) swap();
      young.set(key, { lease: own, until: now + lease });
      return { kind: 'claimed', lease: own };
    },
    confirm: (key, lease, keep) => {
      if (!isHeld(key, lease)) return false;
      const until = clock.now() + keep;
      if (lastDone.until !== until) lastDone = { lease: undefined, until };
      young.set(key, lastDone);
      return true;
    },
    release: (key, lease) => {
      if (!isHeld(key, lease)) return;
      young.delete(key);
      old.delete(key);
    },
  };
};
