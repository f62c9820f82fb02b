import { type Clock, monotonicNow } from '../../base/runtime/clock.ts';
import { type DurationMs, second } from '../../base/runtime/time.ts';
import { shardOf } from '../shards/shard.ts';
import type { FeedKey, FeedStore } from './feed-store.ts';

/** A caller that waits for entries of a feed. */
interface Waiting extends FeedKey {
  readonly shard: number;
  /** Waits for entries with larger numbers. */
  readonly after: number;
  readonly isClosed: () => boolean;
  /** Ends the wait. */
  readonly end: () => void;
  /** Whether the feed was not read since the wait began. */
  isNew: boolean;
}

/** What {@link createFeedWaits} calls. */
export interface FeedWaitDeps {
  readonly feeds: Pick<FeedStore, 'readProgress' | 'watchFeeds'>;
  readonly clock: Clock;
  /** Receives what failed: the wait goes on. */
  readonly reportError: (cause: unknown) => void;
}

/** Waits for entries of feeds. */
export interface FeedWaits {
  /**
   * Resolves soon after the feed has entries with larger numbers than `after`, or is gone; within a second after
   * `isClosed`; or once `time` is over. Never rejects.
   */
  wait(
    feed: FeedKey,
    after: number,
    until: { readonly time: DurationMs; readonly isClosed: () => boolean },
  ): Promise<void>;
}

/** How often all awaited feeds are read: wakes may be lost. */
const pollEvery: DurationMs = second;
/** Maximum number of feeds in one read. */
const maxRead = 500;

/**
 * One loop serves all waits of this process, so no wait holds a connection of the database. It watches the store while
 * there are waits, and for one poll more.
 */
export const createFeedWaits = ({ feeds, clock, reportError }: FeedWaitDeps): FeedWaits => {
  const waiting = new Set<Waiting>();
  /** Shards with new entries. */
  const woken = new Set<number>();
  let isRunning = false;
  let sleeping = new AbortController();
  const wake = (shards: readonly number[]): void => {
    for (const shard of shards) woken.add(shard);
    sleeping.abort('woken');
  };

  const look = async (all: readonly Waiting[]): Promise<void> => {
    for (let from = 0; from < all.length; from += maxRead) {
      const some = all.slice(from, from + maxRead);
      const found = await feeds.readProgress(some.map(({ accountId, endpointId }) => ({ accountId, endpointId })));
      const last = new Map(found.map((feed) => [feed.endpointId, feed.last]));
      for (const { endpointId, after, end } of some)
        if ((last.get(endpointId) ?? Number.POSITIVE_INFINITY) > after) end();
    }
  };
  const tryTo = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await call();
    } catch (cause) {
      reportError(cause);
      return undefined;
    }
  };

  const run = async (): Promise<void> => {
    const unwatch = await tryTo(() => feeds.watchFeeds(wake));
    for (let fullAt = monotonicNow(clock); ; ) {
      const isFull = monotonicNow(clock) >= fullAt;
      if (isFull) fullAt = monotonicNow(clock) + pollEvery;
      for (const { isClosed, end } of waiting) if (isClosed()) end();
      if (isFull && waiting.size === 0) break;
      const due = [...waiting].filter(({ isNew, shard }) => isFull || isNew || woken.has(shard));
      woken.clear();
      for (const each of due) each.isNew = false;
      if (due.length > 0) await tryTo(() => look(due));
      sleeping = new AbortController();
      const hasNew = woken.size > 0 || [...waiting].some(({ isNew }) => isNew);
      if (!hasNew) await clock.sleep(Math.max(fullAt - monotonicNow(clock), 0), sleeping.signal);
    }
    isRunning = false;
    unwatch?.();
  };

  return {
    wait: async ({ accountId, endpointId }, after, { time, isClosed }) => {
      const ended = new AbortController();
      const entry: Waiting = {
        ...{ accountId, endpointId, after, isClosed, shard: shardOf(accountId), isNew: true },
        end: () => {
          waiting.delete(entry);
          ended.abort('woken');
        },
      };
      waiting.add(entry);
      if (isRunning) sleeping.abort('new');
      else {
        isRunning = true;
        void run();
      }
      await clock.sleep(time, ended.signal);
      waiting.delete(entry);
    },
  };
};
