import type { SeenClaim, SeenKeys } from '../dedup/seen-keys.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemClock } from '../runtime/system.ts';
import type { DurationMs, EpochMs } from '../runtime/time.ts';

/** A claim until its lease lapses; done, until it may be forgotten. Changed in place: the key is looked for once less. */
interface Seen {
  readonly lease: string;
  until: EpochMs;
  done: boolean;
}

const isHeld = (seen: Seen | undefined, lease: string): seen is Seen =>
  seen !== undefined && !seen.done && seen.lease === lease;

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
 * What a receiver has processed, in the memory of this process: a restart forgets it. Bounded: the oldest that are done are
 * forgotten when there are too many.
 * @example
 * const seen = memorySeenKeys({ onForgotten: (keys) => log.warn({ keys }, 'forgotten before their time') });
 * @public
 */
export const memorySeenKeys = ({
  clock = systemClock,
  maxKeys = 100_000,
  onForgotten,
}: MemorySeenKeysOptions = {}): SeenKeys => {
  // Two generations, swapped when the young one is full: no key is searched for.
  let young = new Map<string, Seen>();
  let old = new Map<string, Seen>();
  let full = maxKeys / 2;
  let leases = 0;

  const find = (key: string): Seen | undefined => young.get(key) ?? old.get(key);
  const swap = (): void => {
    const now = clock.now();
    const claims = new Map<string, Seen>();
    const forgotten: string[] = [];
    for (const [key, seen] of old) {
      if ((seen.done && !onForgotten) || seen.until <= now || young.has(key)) continue;
      // What is being worked on is not forgotten.
      if (seen.done) forgotten.push(key);
      else claims.set(key, seen);
    }
    old = young;
    young = claims;
    // Many of these must not have it swapped at every turn.
    full = Math.max(maxKeys / 2, 2 * claims.size);
    if (forgotten.length > 0) onForgotten?.(forgotten);
  };
  const put = (key: string, seen: Seen): void => {
    if (young.size >= full && !young.has(key)) swap();
    // What the old one may hold of it counts no more.
    young.set(key, seen);
  };

  const claim = (key: string, lease: DurationMs): SeenClaim => {
    const now = clock.now();
    const seen = find(key);
    if (seen && seen.until > now) return { kind: seen.done ? 'done' : 'in_progress' };
    const token = String(leases++);
    put(key, { lease: token, until: now + lease, done: false });
    return { kind: 'claimed', lease: token };
  };
  const confirm = (key: string, lease: string, keep: DurationMs): boolean => {
    const inYoung = young.get(key);
    const seen = inYoung ?? old.get(key);
    if (!isHeld(seen, lease)) return false;
    // Done only after: a swap takes along what is being worked on, and tells of what is done.
    if (!inYoung) put(key, seen);
    seen.done = true;
    seen.until = clock.now() + keep;
    return true;
  };
  // An async function costs as much as the work.
  return {
    claim: (key, lease) => Promise.resolve(claim(key, lease)),
    confirm: (key, lease, keep) => Promise.resolve(confirm(key, lease, keep)),
    release: async (key, lease) => {
      if (!isHeld(find(key), lease)) return;
      young.delete(key);
      old.delete(key);
    },
  };
};
