import type { Clock } from '../../base/runtime/clock.ts';
import { systemClock } from '../../base/runtime/system.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { Inbox, InboxEntry } from '../receiver/inbox.ts';

interface Kept {
  readonly state: 'waiting' | 'dead_lettered' | 'done';
  readonly body: string;
  readonly attempts: number;
  readonly lease?: string;
  /** When it falls due, was dead-lettered, or is deleted. */
  readonly at: EpochMs;
}

/**
 * An inbox in the memory of this process. For tests and demonstrations only: it loses acknowledged webhooks on restart.
 * Each `claim` scans all entries.
 * @example
 * const receiver = createReceiver({ secrets: [webhookSecret], inbox: memoryInbox() });
 * @public
 */
export const memoryInbox = ({
  clock = systemClock,
}: {
  /** Source of time. @defaultValue the system clock */
  readonly clock?: Clock;
} = {}): Inbox => {
  const entries = new Map<string, Kept>();
  let leases = 0;

  /** In order of due time, or of dead-lettering. */
  const inState = (state: Kept['state']): readonly (readonly [string, Kept])[] =>
    [...entries].filter(([, kept]) => kept.state === state).sort(([, a], [, b]) => a.at - b.at);

  /** Changes the entry of a lease, if the lease is valid. */
  const settle = (key: string, lease: string, change: (kept: Kept, now: EpochMs) => Kept): boolean => {
    const kept = entries.get(key);
    if (kept?.lease !== lease) return false;
    const { lease: _over, ...changed } = change(kept, clock.now());
    entries.set(key, changed);
    return true;
  };

  return {
    enqueue: async (key, body) => {
      const now = clock.now();
      const known = entries.get(key);
      if (known && !(known.state === 'done' && known.at <= now)) return false;
      entries.set(key, { state: 'waiting', body, attempts: 0, at: now });
      return true;
    },
    claim: async (limit, lease) => {
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
    complete: async (key, lease, keep) =>
      settle(key, lease, (kept, now) => ({ ...kept, state: 'done', body: '', at: now + keep })),
    retry: async (key, lease, wait) => settle(key, lease, (kept, now) => ({ ...kept, at: now + wait })),
    deadLetter: async (key, lease) => settle(key, lease, (kept, now) => ({ ...kept, state: 'dead_lettered', at: now })),
    requeue: async (keys) => {
      const deadLetters = new Set(keys.filter((key) => entries.get(key)?.state === 'dead_lettered'));
      for (const key of deadLetters) {
        const { body } = entries.get(key) as Kept;
        entries.set(key, { state: 'waiting', body, attempts: 0, at: clock.now() });
      }
      return deadLetters.size;
    },
    stats: async (most) => {
      const waiting = inState('waiting');
      const deadLetters = inState('dead_lettered');
      return {
        waiting: waiting.length,
        oldestDueMs: Math.max(0, clock.now() - (waiting[0]?.[1].at ?? Number.POSITIVE_INFINITY)),
        deadLettered: deadLetters.length,
        deadLetters: deadLetters.slice(0, most).map(([key, { body, attempts }]) => ({ key, body, attempts })),
      };
    },
  };
};
