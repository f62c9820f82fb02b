import type { Plan, RowTx } from '../port/row-store.ts';
import { endpoints } from '../tables/endpoints.ts';
import { type FeedRow, feedEntries, feeds } from '../tables/feeds.ts';
import { feedNameOf, lockFeeds, putFeeds } from './append.ts';

/** The feed of a new endpoint. One that was stored before continues its numbers. */
export function* beginFeed(rows: RowTx, accountId: string, endpointId: string): Plan<void> {
  const none = { prunedEvent: undefined, asked: undefined, askedAt: undefined };
  yield* rows.insert(feeds, [{ accountId, endpointId, last: 0, pruned: 0, ...none }], 'ignore');
}

/** The endpoint is deleted: its feed ends now, or with its last entry. */
export function* endFeed(rows: RowTx, accountId: string, endpointId: string): Plan<void> {
  const [feed] = yield* rows.get(feeds, [[accountId, endpointId]], 'update');
  if (feed && feed.last === feed.pruned) yield* rows.delete(feeds, [[accountId, endpointId]]);
}

/** Deletes the entries of deleted events. The feed of a deleted endpoint ends with its last entry. */
export function* pruneFeeds(rows: RowTx, keys: readonly (readonly [accountId: string, eventId: string])[]): Plan<void> {
  if (keys.length === 0) return;
  const ranges = keys.map((prefix) => ({ prefix }));
  const deleted = yield* rows.scan(feedEntries, 'event', ranges);
  if (deleted.length === 0) return;
  const entries = deleted.map(({ accountId, eventId, endpointId }) => [accountId, eventId, endpointId] as const);
  yield* rows.delete(feedEntries, entries);
  const locked = yield* lockFeeds(rows, deleted);
  for (const entry of deleted) {
    const feed = locked.get(feedNameOf(entry));
    if (feed && entry.number > feed.pruned)
      locked.set(feedNameOf(entry), { ...feed, pruned: entry.number, prunedEvent: entry.eventId });
  }
  yield* putFeeds(rows, locked.values());
  yield* endFeeds(
    rows,
    [...locked.values()].filter(({ last, pruned }) => last === pruned),
  );
}

/** Deletes feeds without entries whose endpoints are deleted. They are locked. */
function* endFeeds(rows: RowTx, empty: readonly FeedRow[]): Plan<void> {
  const keys = empty.map(({ accountId, endpointId }) => [accountId, endpointId] as const);
  const owners = yield* rows.get(endpoints, keys);
  yield* rows.delete(
    feeds,
    keys.filter((_, index) => !owners[index]),
  );
}
