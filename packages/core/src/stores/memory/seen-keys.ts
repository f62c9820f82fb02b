import type { Clock } from '../../base/runtime/clock.ts';
import { systemClock } from '../../base/runtime/system.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { SeenKeys } from '../receiver/seen-keys.ts';

/** A key in progress has a lease. A done key has none and shares its entry with keys stored until the same time. */
interface Entry {
  readonly lease?: string | undefined;
  readonly until: EpochMs;
}

/**
 * Options of {@link memorySeenKeys}.
 * @public
 */
export interface MemorySeenKeysOptions {
  /** Source of time. @defaultValue the system's clock */
  readonly clock?: Clock;
  /**
   * Maximum number of keys; the last half of them is always stored. Keys in progress may exceed it.
   * @defaultValue 100,000
   */
  readonly maxKeys?: number;
  /**
   * Called with keys that were evicted before their time, in batches: a duplicate would be processed again. Must not
   * throw.
   * @defaultValue none
   */
  readonly onForgotten?: (keys: readonly string[]) => void;
}

/**
 * Processed keys in the memory of this process; a restart loses them. Returns without a promise. Bounded: evicts the
 * oldest done keys.
 * @example
 * const seen = memorySeenKeys({ onForgotten: (keys) => log.warn({ keys }, 'evicted before their time') });
 * @public
 */
export const memorySeenKeys = ({
  clock = systemClock,
  maxKeys = 100_000,
  onForgotten,
}: MemorySeenKeysOptions = {}): SeenKeys => {
  // Two generations, swapped when the young one is full, so eviction searches no key. An entry of the old one counts
  // only while the young one has none of the same key.
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
      // Keys in progress are not evicted.
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
