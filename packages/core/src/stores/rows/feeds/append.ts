import { compareBytes } from '../../../base/runtime/byte-order.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import { nameIn } from '../port/name-in.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { type FeedRow, feedEntries, feeds } from '../tables/feeds.ts';

/** An event that joins a feed. */
export interface Joining {
  readonly accountId: string;
  readonly endpointId: string;
  readonly eventId: string;
}

type Key = Pick<FeedRow, 'accountId' | 'endpointId'>;

/** Identifies a feed among those of a batch. */
export const feedNameOf = ({ accountId, endpointId }: Key): string => nameIn(accountId, endpointId);
const byKey = (a: Key, b: Key): number =>
  compareBytes(a.accountId, b.accountId) || (a.endpointId < b.endpointId ? -1 : 1);

/** The feeds of these keys, locked until the transaction ends. Those that are gone are left out. */
export function* lockFeeds(rows: RowTx, keys: readonly Key[]): Plan<Map<string, FeedRow>> {
  const distinct = [...new Map(keys.map((key) => [feedNameOf(key), key])).values()].toSorted(byKey);
  const found = yield* rows.get(
    feeds,
    distinct.map(({ accountId, endpointId }) => [accountId, endpointId] as const),
    'update',
  );
  return new Map(found.filter((row) => row !== undefined).map((row) => [feedNameOf(row), row]));
}

/** Stores feeds that were locked. */
export function* putFeeds(rows: RowTx, changed: Iterable<FeedRow>): Plan<void> {
  yield* rows.put(feeds, [...changed].toSorted(byKey));
}

const byEntry = (a: Joining, b: Joining): number =>
  compareBytes(a.accountId, b.accountId) ||
  (a.eventId === b.eventId ? (a.endpointId < b.endpointId ? -1 : 1) : a.eventId < b.eventId ? -1 : 1);

/** Appends events to feeds, in the given order. */
export function* appendToFeeds(rows: RowTx, joining: readonly Joining[]): Plan<void> {
  const locked = yield* lockFeeds(rows, joining);
  const entries = joining.flatMap((each) => {
    const feed = locked.get(feedNameOf(each));
    if (!feed) return [];
    const number = feed.last + 1;
    locked.set(feedNameOf(each), { ...feed, last: number });
    return [{ ...each, number }];
  });
  yield* putFeeds(rows, locked.values());
  yield* rows.insert(feedEntries, entries.toSorted(byEntry), 'fail');
  yield* rows.wake({ kind: 'feeds', shards: [...new Set(entries.map(({ accountId }) => shardOf(accountId)))] });
}
