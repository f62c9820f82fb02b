import { integer, number, optional, type RowOf, table, text } from '../port/table.ts';

/**
 * Feeds of pull endpoints. Numbers are of entries; 0 is none. Who gives numbers locks the row until the commit, so that
 * they are committed in their order.
 */
export const feeds = table({
  name: 'feeds',
  columns: {
    accountId: text(),
    endpointId: text(),
    last: integer(),
    pruned: integer(),
    prunedEvent: optional(text()),
    asked: optional(integer()),
    askedAt: optional(number()),
  },
  key: ['accountId', 'endpointId'],
  indexes: {},
});

/** The events of feeds. */
export const feedEntries = table({
  name: 'feed_entries',
  columns: { accountId: text(), eventId: text(), endpointId: text(), number: integer() },
  key: ['accountId', 'eventId', 'endpointId'],
  indexes: {
    event: { columns: ['accountId', 'eventId', 'endpointId'] },
    feed: { columns: ['accountId', 'endpointId', 'number'], isUnique: true },
  },
});

export type FeedRow = RowOf<typeof feeds>;
