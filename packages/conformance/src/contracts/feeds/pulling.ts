import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { EventDispatch, FeedKey, FeedPart, FeedRead, NewEvent, OutboxEvent } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { dispatchAll, dispatched, events, keyOf, pending, publish, settle, takeShards } from '../support/acts.ts';
import { endpoint, event, ours, theirs } from '../support/records.ts';
import { open, type World } from '../support/world.ts';

export const everything = { limit: 1_000, maxLength: 2 ** 30, places: [] } satisfies FeedRead;

/** A pull endpoint, as a partner makes it. */
export const pulled = (accountId = ours) => {
  const { url: _url, secret: _secret, ...rest } = endpoint({ accountId });
  return { ...rest, kind: 'pull' } as const;
};

/** Our world, with a pull endpoint of ours. */
export interface PullWorld extends World {
  /** Its id. */
  readonly id: string;
  read(change?: Partial<FeedRead>): Promise<FeedPart>;
  /** Commits events and dispatches them to the feed. */
  feed(count: number, change?: Partial<NewEvent>): Promise<readonly NewEvent[]>;
}

const readFeed = async ({ storage: { feeds } }: StorageFixture, id: string, change: Partial<FeedRead> = {}) => {
  const found = await feeds.readFeed(ours, id, { ...everything, ...change });
  ok(found, 'the feed is there');
  return found;
};

/** A case of our feed. Theirs has one entry, whose event waits for another endpoint, and must be unchanged. */
export const pulling =
  (act: (world: PullWorld) => Promise<void>) =>
  async (fixture: StorageFixture): Promise<void> => {
    const { storage } = fixture;
    await takeShards(storage);
    const [own, other, push] = [pulled(), pulled(theirs), endpoint({ accountId: theirs })];
    for (const each of [own, other, push]) strictEqual(await storage.endpoints.insertEndpoint(each, 20), true);
    await publish(storage, [event({ accountId: theirs })]);
    const made = await dispatchAll(storage, () => ({ endpointIds: [push.id], pullEndpointIds: [other.id] }));
    await settle(storage, { pending: made.map((each) => pending(keyOf(each.event, push.id))) });
    const theirsNow = async () => {
      const { now: _now, ...part } = (await storage.feeds.readFeed(theirs, other.id, everything)) ?? { now: 0 };
      return part;
    };
    const before = await theirsNow();
    const world = await open(fixture);
    await act({
      ...world,
      id: own.id,
      read: (change) => readFeed(world, own.id, change),
      feed: async (count, change) => {
        const published = events(count, change);
        await publish(storage, published);
        await dispatchAll(storage, () => ({ pullEndpointIds: [own.id] }));
        return published;
      },
    });
    deepStrictEqual(await theirsNow(), before);
  };

export const feedsOf = (accountId: string, ...ids: readonly string[]): readonly FeedKey[] =>
  ids.map((endpointId) => ({ accountId, endpointId }));

export const numbersOf = ({ entries }: FeedPart): readonly number[] => entries.map(({ number }) => number);
export const idsOf = ({ entries }: FeedPart): readonly string[] => entries.map(({ eventId }) => eventId);
export const namesOf = (published: readonly NewEvent[]): readonly string[] => published.map(({ id }) => id);

export const toFeed = (id: string, read: readonly OutboxEvent[]): readonly EventDispatch[] =>
  read.map((each) => dispatched(each, { pullEndpointIds: [id] }));
