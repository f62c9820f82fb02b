import type { SeenKeys } from '../dedup/seen-keys.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemClock } from '../runtime/system.ts';
import type { EpochMs } from '../runtime/time.ts';

interface Seen {
  /** Absent once it is done. */
  readonly lease?: string;
  readonly until: EpochMs;
}

/**
 * What a receiver has processed, in the memory of this process: a restart forgets it. Holds at most `most` keys, and then
 * forgets the oldest that are done.
 * @public
 */
export const memorySeenKeys = ({
  clock = systemClock,
  most = 100_000,
}: {
  readonly clock?: Clock;
  readonly most?: number;
} = {}): SeenKeys => {
  // Two generations, swapped when the young one is full: no key is searched for.
  let young = new Map<string, Seen>();
  let old = new Map<string, Seen>();
  let leases = 0;

  const find = (key: string): Seen | undefined => young.get(key) ?? old.get(key);
  const put = (key: string, seen: Seen): void => {
    if (young.size >= most / 2 && !young.has(key)) {
      // A claim that is being worked on is not forgotten.
      const busy = [...old].filter(
        ([known, { lease, until }]) => lease !== undefined && until > clock.now() && !young.has(known),
      );
      old = young;
      young = new Map(busy);
    }
    young.set(key, seen);
  };
  const drop = (key: string): void => {
    young.delete(key);
    old.delete(key);
  };

  return {
    claim: async (key, lease) => {
      const now = clock.now();
      const known = find(key);
      if (known && known.until > now) return known.lease === undefined ? { kind: 'done' } : { kind: 'busy' };
      const token = String(leases++);
      put(key, { lease: token, until: now + lease });
      return { kind: 'claimed', lease: token };
    },
    confirm: async (key, lease, keep) => {
      if (find(key)?.lease !== lease) return false;
      drop(key);
      put(key, { until: clock.now() + keep });
      return true;
    },
    release: async (key, lease) => {
      if (find(key)?.lease === lease) drop(key);
    },
  };
};
