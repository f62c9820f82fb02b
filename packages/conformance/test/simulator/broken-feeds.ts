import * as feeds from '../../src/simulator/laws/feeds.ts';
import { type BrokenStore, deliveries, each, type Memory } from './broken-store.ts';

const feed =
  (change: (feeds: Memory['feeds']) => Partial<Memory['feeds']>): BrokenStore['break'] =>
  (storage) => ({ ...storage, feeds: { ...storage.feeds, ...change(storage.feeds) } });

/** Events are lost for readers, or come to the wrong ones. */
export const brokenFeeds: readonly BrokenStore[] = [
  {
    how: 'an event in five joins no feed',
    law: feeds.feedsHaveEveryEvent,
    kind: 'read',
    break: deliveries(({ dispatch }) => {
      const isFifth = each(5);
      return {
        dispatch: (id, events, ...rest) =>
          dispatch(
            id,
            events.map((event) => (isFifth() ? { ...event, pullEndpointIds: [] } : event)),
            ...rest,
          ),
      };
    }),
  },
  {
    how: 'events join every feed of their account',
    law: feeds.feedsHaveEveryEvent,
    kind: 'read',
    break: (storage) => ({
      ...storage,
      deliveries: {
        ...storage.deliveries,
        dispatch: async (id, events, ...rest) => {
          const { items } = await storage.endpoints.listAllEndpoints({});
          const pulled = items.filter(({ kind }) => kind === 'pull');
          const ofAccount = (accountId: string) =>
            pulled.filter((each) => each.accountId === accountId).map((each) => each.id);
          return storage.deliveries.dispatch(
            id,
            events.map((each) => ({ ...each, pullEndpointIds: ofAccount(each.event.accountId) })),
            ...rest,
          );
        },
      },
    }),
  },
  {
    how: 'the events of a batch join feeds in the wrong order',
    law: feeds.feedsHaveEveryEvent,
    kind: 'read',
    break: feed(({ readFeed }) => ({
      readFeed: async (...args) => {
        const part = await readFeed(...args);
        return part && { ...part, entries: part.entries.toReversed() };
      },
    })),
  },
  {
    how: 'an entry becomes visible after the one behind it',
    law: feeds.nothingIsBehindACursor,
    kind: 'read',
    break: feed(({ readFeed }) => {
      const late = new Set<string>();
      return {
        readFeed: async (...args) => {
          const part = await readFeed(...args);
          const first = part?.entries[0];
          if (!part || !first || part.entries.length < 2 || late.has(first.eventId)) return part;
          late.add(first.eventId);
          return { ...part, entries: part.entries.slice(1) };
        },
      };
    }),
  },
  {
    how: 'a read begins with the entry of its cursor',
    law: feeds.nothingIsBehindACursor,
    kind: 'read',
    break: feed(({ readFeed }) => ({
      readFeed: (account, endpoint, { after, ...read }) =>
        readFeed(account, endpoint, { ...read, ...(after === undefined ? {} : { after: Math.max(after - 1, 0) }) }),
    })),
  },
];
