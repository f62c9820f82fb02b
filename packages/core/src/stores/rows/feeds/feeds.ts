import type {
  FeedKey,
  FeedPart,
  FeedPlace,
  FeedProgress,
  FeedRead,
  FeedStore,
} from '../../../webhooks/feeds/feed-store.ts';
import { dispatchedEvents } from '../events/event-rows.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { endpoints } from '../tables/endpoints.ts';
import { type FeedRow, feedEntries, feeds } from '../tables/feeds.ts';

/** Maximum number of events that are read at once: together, they may have 5 MB. */
const batch = 20;

const progressOf = ({ last, pruned, asked, askedAt }: FeedRow): FeedProgress => ({
  last,
  pruned,
  ...(asked === undefined || askedAt === undefined ? {} : { asked: { number: asked, at: askedAt } }),
});

/** The feeds of endpoints that are stored. */
function* storedFeeds(rows: RowTx, wanted: readonly FeedKey[]): Plan<readonly FeedRow[]> {
  const keys = wanted.map(({ accountId, endpointId }) => [accountId, endpointId] as const);
  const found = yield* rows.get(feeds, keys);
  const owners = yield* rows.get(endpoints, keys);
  return found.flatMap((row, index) => (row && owners[index] ? [row] : []));
}

/** Entries after a number: as many as are wanted, until their texts are long enough. */
function* readEntries(
  rows: RowTx,
  accountId: string,
  endpointId: string,
  { after, limit, maxLength }: Required<Omit<FeedRead, 'places'>>,
): Plan<FeedPart['entries']> {
  const range = { prefix: [accountId, endpointId] as const, after: [after] as const };
  const found = yield* rows.scan(feedEntries, 'feed', [range], { limit });
  const entries: FeedPart['entries'][number][] = [];
  let length = 0;
  for (let from = 0; from < found.length && length < maxLength; from += batch) {
    const next = found.slice(from, from + batch);
    const events = yield* dispatchedEvents(
      rows,
      next.map(({ eventId }) => [accountId, eventId]),
    );
    for (const [index, { eventId, number }] of next.entries()) {
      const event = events[index];
      if (!event || length >= maxLength) break;
      entries.push({ number, eventId, event });
      length += event.bodyTail.length;
    }
  }
  return entries;
}

function* readFeed(rows: RowTx, accountId: string, endpointId: string, read: FeedRead): Plan<FeedPart | undefined> {
  const now = yield* rows.now();
  const [feed] = yield* storedFeeds(rows, [{ accountId, endpointId }]);
  if (!feed) return undefined;
  const { pruned, prunedEvent } = feed;
  const { after = pruned, limit, maxLength } = read;
  const ranges = read.places.map((number) => ({ prefix: [accountId, endpointId, number] as const }));
  const found = yield* rows.scan(feedEntries, 'feed', ranges, { columns: ['number', 'eventId'] });
  const places: FeedPlace[] = found.map(({ number, eventId }) => ({ number, eventId }));
  if (prunedEvent !== undefined) places.push({ number: pruned, eventId: prunedEvent });
  const entries = yield* readEntries(rows, accountId, endpointId, { after, limit, maxLength });
  return { ...progressOf(feed), now, places, entries };
}

/** Feeds of pull endpoints over rows. */
export const rowFeeds = (store: Pick<RowStore<object>, 'run' | 'watchFeeds'>): FeedStore => ({
  readFeed: (accountId, endpointId, read) => store.run('read', (rows) => readFeed(rows, accountId, endpointId, read)),
  noteAsked: (accountId, endpointId, number) =>
    store.run('write', function* (rows) {
      const [feed] = yield* rows.get(feeds, [[accountId, endpointId]], 'update');
      const askedAt = yield* rows.now();
      if (feed) yield* rows.put(feeds, [{ ...feed, asked: number, askedAt }]);
    }),
  readProgress: (wanted) =>
    store.run('read', function* (rows) {
      const found = yield* storedFeeds(rows, wanted);
      return found.map((feed) => ({ accountId: feed.accountId, endpointId: feed.endpointId, ...progressOf(feed) }));
    }),
  findEntry: (accountId, endpointId, eventId) =>
    store.run('one', function* (rows) {
      const [entry] = yield* rows.get(feedEntries, [[accountId, eventId, endpointId]]);
      return entry?.number;
    }),
  watchFeeds: store.watchFeeds,
});
