import type { DurationMs } from '../../../base/runtime/time.ts';
import type { OutboxEvent, ShardRange } from '../../deliveries/delivery-store.ts';
import { createAccountCursor } from './account-cursor.ts';
import { type AccountLane, isBusy } from './lane.ts';
import { rangesWithout } from './shard-ranges.ts';

/** Maximum number of events per read. */
export const pageSize = 512;
/** Of accounts without deliveries in flight: small, because an account with a backlog may fill the first page. */
const idlePageSize = 64;
const maxIdlePages = 8;

/** A part of the outbox to read. */
export interface OutboxPage {
  /** Empty: nothing is to be read. */
  readonly ranges: readonly ShardRange[];
  /** Maximum number of events. */
  readonly limit: number;
  /** `all`: the round over all accounts. `woken`: shards with new events. `idle`: only accounts without deliveries. */
  readonly of: 'all' | 'woken' | 'idle';
}

/** What a worker reads next of the outbox. */
export interface Outbox {
  /** Events of these shards were committed. */
  wake(shards: readonly number[]): void;
  /** The next part. `isFull`: of all shards; otherwise the last page goes on, or shards with new events are read. */
  next(served: readonly number[], isFull: boolean): OutboxPage;
  /** The next part for a worker whose memory is full: of accounts that are not busy. */
  nextIdle(served: readonly number[], accounts: Iterable<AccountLane>): OutboxPage;
  /** Milliseconds until `nextIdle` is due; not positive: now. */
  idleIn(): DurationMs;
  /** Records what a part had. */
  note(page: OutboxPage, events: readonly OutboxEvent[]): void;
  /** Only these first events of a part were dispatched: the others are read again. */
  cut(page: OutboxPage, dispatched: readonly OutboxEvent[]): void;
}

/** Creates the memory of the outbox. `idleEvery`: how often accounts that are not busy are read at least. */
export const createOutbox = (now: () => number, idleEvery: DurationMs): Outbox => {
  const cursor = createAccountCursor();
  const idleCursor = createAccountCursor();
  const woken = new Set<number>();
  let hasMore = false;
  let idleAt = now();
  let idlePages = 0;

  return {
    wake: (shards) => {
      for (const shard of shards) woken.add(shard);
    },
    next: (served, isFull) => {
      const some = new Set(woken);
      woken.clear();
      if (isFull || hasMore) return { ranges: cursor.around(served), limit: pageSize, of: 'all' };
      const ranges = served.filter((shard) => some.has(shard)).map((shard) => ({ shard }));
      return { ranges, limit: pageSize, of: 'woken' };
    },
    nextIdle: (served, accounts) => {
      const busy = [...accounts].filter(isBusy);
      return { ranges: rangesWithout(idleCursor.around(served), busy), limit: idlePageSize, of: 'idle' };
    },
    idleIn: () => idleAt - now(),
    note: ({ of, limit }, events) => {
      const isPageFull = events.length >= limit;
      if (of === 'idle') {
        idleCursor.note(events, isPageFull);
        idlePages = isPageFull && idlePages + 1 < maxIdlePages ? idlePages + 1 : 0;
        if (idlePages === 0) idleAt = now() + idleEvery;
        return;
      }
      if (of === 'all') cursor.note(events, isPageFull);
      hasMore = isPageFull;
    },
    cut: ({ of }, dispatched) => {
      if (of === 'idle') idleCursor.note(dispatched, true);
      else hasMore = true;
      if (of === 'all') cursor.note(dispatched, true);
    },
  };
};
