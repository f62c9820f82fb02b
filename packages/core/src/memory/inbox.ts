import type { Inbox, InboxEntry } from '../dedup/inbox.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemClock } from '../runtime/system.ts';
import type { EpochMs } from '../runtime/time.ts';

interface Kept {
  readonly state: 'waiting' | 'parked' | 'done';
  readonly body: string;
  readonly attempts: number;
  readonly lease?: string;
  /** When it falls due, was parked, or is forgotten. */
  readonly at: EpochMs;
}

/**
 * An inbox in the memory of this process, for tests and demonstrations ONLY: what it kept is lost when the process ends, after
 * the sender was told that it arrived. It looks at all it holds at each `take`.
 * @public
 */
export const memoryInbox = ({ clock = systemClock }: { readonly clock?: Clock } = {}): Inbox => {
  const entries = new Map<string, Kept>();
  let leases = 0;

  /** In the order in which they fell due, or were parked. */
  const inState = (state: Kept['state']): readonly (readonly [string, Kept])[] =>
    [...entries].filter(([, kept]) => kept.state === state).sort(([, a], [, b]) => a.at - b.at);

  /** What the holder of a lease says of its entry. */
  const settle = (key: string, lease: string, change: (kept: Kept, now: EpochMs) => Kept): boolean => {
    const kept = entries.get(key);
    if (kept?.lease !== lease) return false;
    const { lease: _over, ...changed } = change(kept, clock.now());
    entries.set(key, changed);
    return true;
  };

  return {
    keep: async (key, body) => {
      const now = clock.now();
      const known = entries.get(key);
      if (known && !(known.state === 'done' && known.at <= now)) return false;
      entries.set(key, { state: 'waiting', body, attempts: 0, at: now });
      return true;
    },
    take: async (limit, lease) => {
      const now = clock.now();
      return inState('waiting')
        .filter(([, { at }]) => at <= now)
        .slice(0, limit)
        .map(([key, kept]): InboxEntry => {
          const taken = { ...kept, lease: String(leases++), attempts: kept.attempts + 1, at: now + lease };
          entries.set(key, taken);
          return { key, body: taken.body, attempt: taken.attempts, lease: taken.lease };
        });
    },
    done: async (key, lease, keep) =>
      settle(key, lease, (kept, now) => ({ ...kept, state: 'done', body: '', at: now + keep })),
    retry: async (key, lease, wait) => settle(key, lease, (kept, now) => ({ ...kept, at: now + wait })),
    park: async (key, lease) => settle(key, lease, (kept, now) => ({ ...kept, state: 'parked', at: now })),
    resume: async (keys) => {
      const parked = keys.filter((key) => entries.get(key)?.state === 'parked');
      for (const key of new Set(parked)) {
        const { body } = entries.get(key) as Kept;
        entries.set(key, { state: 'waiting', body, attempts: 0, at: clock.now() });
      }
      return new Set(parked).size;
    },
    look: async (most) => {
      const waiting = inState('waiting');
      const parked = inState('parked');
      return {
        waiting: waiting.length,
        late: Math.max(0, clock.now() - (waiting[0]?.[1].at ?? Number.POSITIVE_INFINITY)),
        parked: parked.length,
        stuck: parked.slice(0, most).map(([key, { body, attempts }]) => ({ key, body, attempts })),
      };
    },
  };
};
