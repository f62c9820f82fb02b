import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { day, hour } from '@partnerkit/core';
import {
  type EventDispatch,
  envelopeText,
  type FeedKey,
  type FeedPart,
  type FeedRead,
  type NewEvent,
  type OutboxEvent,
  shardOf,
} from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import {
  allShards,
  answered,
  dispatchAll,
  dispatched,
  dropEvents,
  events,
  keyOf,
  lease,
  logged,
  markSettled,
  pending,
  publish,
  readOutbox,
  settle,
  takeShards,
  worker,
} from '../support/acts.ts';
import { type Cases, type ContractOptions, runCases, whateverTheClocks } from '../support/contract.ts';
import { soon } from '../support/racers.ts';
import { endpoint, event, inShardOf, newId, ours, theirs } from '../support/records.ts';
import { deliveriesOf, findEvent } from '../support/stored.ts';
import { open, type World } from '../support/world.ts';

const everything = { limit: 1_000, maxLength: 2 ** 30, places: [] } satisfies FeedRead;

/** A pull endpoint, as a partner makes it. */
const pulled = (accountId = ours) => {
  const { url: _url, secret: _secret, ...rest } = endpoint({ accountId });
  return { ...rest, kind: 'pull' } as const;
};

/** Our world, with a pull endpoint of ours. */
interface PullWorld extends World {
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
const pulling =
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

const feedsOf = (accountId: string, ...ids: readonly string[]): readonly FeedKey[] =>
  ids.map((endpointId) => ({ accountId, endpointId }));

const numbersOf = ({ entries }: FeedPart): readonly number[] => entries.map(({ number }) => number);
const idsOf = ({ entries }: FeedPart): readonly string[] => entries.map(({ eventId }) => eventId);
const namesOf = (published: readonly NewEvent[]): readonly string[] => published.map(({ id }) => id);

const toFeed = (id: string, read: readonly OutboxEvent[]): readonly EventDispatch[] =>
  read.map((each) => dispatched(each, { pullEndpointIds: [id] }));

const cases: Cases<StorageFixture> = {
  'the feed of a new endpoint is empty; other endpoints have none': pulling(async ({ storage, id, endpoint, read }) => {
    const { now: _now, ...empty } = await read();
    deepStrictEqual(empty, { last: 0, pruned: 0, places: [], entries: [] });
    const { feeds } = storage;
    for (const [accountId, endpointId] of [
      [ours, endpoint.id],
      [ours, newId()],
      [ours, 'no id'],
      [theirs, id],
    ] as const)
      strictEqual(await feeds.readFeed(accountId, endpointId, everything), undefined);
    deepStrictEqual(await feeds.readProgress(feedsOf(ours, endpoint.id, newId(), 'no id')), []);
    deepStrictEqual(await feeds.readProgress(feedsOf(theirs, id)), []);
  }),
  'dispatched events join the feed in the order of publication, with their bytes': pulling(
    async ({ storage, read, feed }) => {
      const published = [...(await feed(2)), ...(await feed(1)), ...(await feed(2))];
      const part = await read();
      deepStrictEqual([part.last, numbersOf(part)], [5, [1, 2, 3, 4, 5]]);
      deepStrictEqual(idsOf(part), namesOf(published));
      for (const { event: read, eventId } of part.entries) {
        deepStrictEqual(read, await findEvent(storage, ours, eventId));
        strictEqual(read.body, envelopeText(read.timestamp, read.bodyTail));
      }
    },
  ),
  'a pull endpoint has no deliveries: not for lists, backlogs, statistics or the next owner': pulling(async (world) => {
    const { storage, id, feed } = world;
    await feed(2);
    const { log, deliveries } = storage;
    deepStrictEqual(await deliveriesOf(storage, ours), []);
    const { waiting, held, undispatched } = await log.countBacklog(ours);
    deepStrictEqual([waiting, held, undispatched], [0, 0, 0]);
    const { endpoints } = await log.readStatistics(ours, [id], { from: 0, width: hour });
    deepStrictEqual(
      endpoints.map(({ endpointId, waiting: all }) => [endpointId, all]),
      [[id, 0]],
    );
    await storage.shards.leave(worker);
    await takeShards(storage);
    const queue = { shard: shardOf(ours), accountId: ours, endpointId: id, limit: 10, order: 'due' } as const;
    deepStrictEqual((await deliveries.readQueued([queue], [], 0)).deliveries, []);
  }),
  'one dispatch appends to the feeds of several endpoints and accounts, beside deliveries': pulling(async (world) => {
    const { storage, id, endpoint: push, read } = world;
    const neighbour = inShardOf(ours, 'acc_neighbour');
    const [second, third] = [pulled(), pulled(neighbour)];
    for (const each of [second, third]) await storage.endpoints.insertEndpoint(each, 20);
    const [one, two, other] = [event(), event(), event({ accountId: neighbour })];
    await publish(storage, [one, other, two]);
    const idsFor = new Map([
      [one.id, [id, second.id]],
      [two.id, [second.id]],
      [other.id, [third.id]],
    ]);
    await dispatchAll(storage, (each) => ({
      pullEndpointIds: idsFor.get(each.id) ?? [],
      endpointIds: each.accountId === ours ? [push.id] : [],
    }));
    const placesOf = async (accountId: string, endpointId: string) =>
      (await storage.feeds.readFeed(accountId, endpointId, everything))?.entries.map((each) => [
        each.number,
        each.eventId,
      ]);
    deepStrictEqual(
      (await read()).entries.map(({ number, eventId }) => [number, eventId]),
      [[1, one.id]],
    );
    deepStrictEqual(await placesOf(ours, second.id), [
      [1, one.id],
      [2, two.id],
    ]);
    deepStrictEqual(await placesOf(neighbour, third.id), [[1, other.id]]);
    strictEqual((await deliveriesOf(storage, ours)).length, 2);
  }),
  'a repeated dispatch, one of another shard and one of a fenced worker append nothing': pulling(async (world) => {
    const { storage, id, read } = world;
    await publish(storage, events(2));
    const batch = toFeed(id, await readOutbox(storage));
    const dispatch = (by: string) => storage.deliveries.dispatch(by, batch, [], 0);
    strictEqual(await dispatch('nobody'), 'fenced');
    await storage.shards.release(worker, [shardOf(ours)]);
    strictEqual(await dispatch(worker), 'stored');
    strictEqual((await read()).last, 0);
    await takeShards(storage);
    for (let times = 0; times < 2; times++) strictEqual(await dispatch(worker), 'stored');
    deepStrictEqual(numbersOf(await read()), [1, 2]);
  }),
  'a dispatch for an endpoint that is gone is stored all the same': pulling(async ({ storage, id, feed }) => {
    strictEqual(await storage.endpoints.deleteEndpoint(ours, id), true);
    const published = await feed(1);
    ok(published[0] && (await findEvent(storage, ours, published[0].id)));
    strictEqual(await storage.feeds.readFeed(ours, id, everything), undefined);
  }),
  'no entry is committed behind one that was read': pulling(async ({ storage, id, read }) => {
    await publish(storage, events(30));
    const batch = toFeed(id, await readOutbox(storage));
    // As a worker whose calls were given up: all of them are under way at once, each with some events of others.
    const calls = batch.map((_, at) => batch.filter((_each, place) => place % 10 === at % 10 || place === at));
    let isDone = false;
    const dispatching = Promise.all(calls.map((each) => storage.deliveries.dispatch(worker, each, [], 0))).finally(
      () => {
        isDone = true;
      },
    );
    const seen = new Map<number, string>();
    do {
      const part = await read();
      const numbers = numbersOf(part);
      deepStrictEqual(
        numbers,
        Array.from({ length: part.last }, (_, at) => at + 1),
      );
      for (const { number, eventId } of part.entries) {
        strictEqual(seen.get(number) ?? eventId, eventId);
        seen.set(number, eventId);
      }
      for (const number of seen.keys()) ok(numbers.includes(number), 'what was read stays');
    } while (!isDone);
    await dispatching;
    const last = await read();
    deepStrictEqual(
      numbersOf(last),
      Array.from({ length: 30 }, (_, at) => at + 1),
    );
    deepStrictEqual(idsOf(last).toSorted(), namesOf(batch.map((each) => each.event)).toSorted());
  }),
  'a read begins after a number, and ends at its limit or with enough text': pulling(async ({ read, feed }) => {
    await feed(4, { bodyTail: `,"data":{"id":"o","text":"${'x'.repeat(1_000)}"}}` });
    deepStrictEqual(numbersOf(await read({ after: 1, limit: 2 })), [2, 3]);
    deepStrictEqual(numbersOf(await read({ after: 4 })), []);
    deepStrictEqual(numbersOf(await read({ after: 9 })), []);
    deepStrictEqual(numbersOf(await read({ maxLength: 1 })), [1]);
    deepStrictEqual(numbersOf(await read({ maxLength: 1_500 })), [1, 2]);
    const { last, places } = await read({ limit: 1, places: [3, 1, 9] });
    strictEqual(last, 4);
    deepStrictEqual(places.map(({ number }) => number).toSorted(), [1, 3]);
  }),
  'the places of a feed have the ids of their events': pulling(async ({ read, feed }) => {
    const published = await feed(3);
    const { places } = await read({ limit: 1, places: [2] });
    deepStrictEqual(places, [{ number: 2, eventId: published[1]?.id }]);
  }),
  ...whateverTheClocks(
    'the last cursor is noted with the time of the store',
    pulling(async ({ storage: { feeds }, storeNow, id, endpoint, read, feed }) => {
      await feed(3);
      deepStrictEqual(await feeds.readProgress(feedsOf(ours, id)), [
        { accountId: ours, endpointId: id, last: 3, pruned: 0 },
      ]);
      await feeds.noteAsked(ours, id, 1);
      await feeds.noteAsked(theirs, id, 3);
      await feeds.noteAsked(ours, endpoint.id, 3);
      const before = await storeNow();
      await feeds.noteAsked(ours, id, 2);
      const [progress] = await feeds.readProgress(feedsOf(ours, endpoint.id, id));
      const { asked, ...rest } = progress ?? {};
      deepStrictEqual(rest, { accountId: ours, endpointId: id, last: 3, pruned: 0 });
      ok(asked && asked.number === 2 && asked.at >= Math.floor(before) && asked.at <= Math.ceil(await storeNow()));
      const part = await read();
      deepStrictEqual(part.asked, asked);
      ok(part.now >= asked.at);
    }),
  ),
  'progress is read of feeds of several accounts at once': pulling(
    async ({ storage: { feeds, endpoints }, id, feed }) => {
      await feed(2);
      const other = pulled(theirs);
      await endpoints.insertEndpoint(other, 20);
      const found = await feeds.readProgress([...feedsOf(theirs, other.id, id), ...feedsOf(ours, id, other.id)]);
      deepStrictEqual(
        found.toSorted((a, b) => a.last - b.last),
        [
          { accountId: theirs, endpointId: other.id, last: 0, pruned: 0 },
          { accountId: ours, endpointId: id, last: 2, pruned: 0 },
        ],
      );
    },
  ),
  'a reader is woken after entries were committed, and not once it has stopped': pulling(async (world) => {
    const { storage, read, feed } = world;
    let [wakes, look] = [0, (): void => undefined];
    const stop = await storage.feeds.watchFeeds((shards) => {
      if (shards.includes(shardOf(ours))) wakes++;
      look();
    });
    const woken = new Promise<void>((resolve) => {
      look = () => {
        if (wakes > 0) resolve();
      };
    });
    await publish(storage, [event()]);
    await feed(1);
    await soon(woken, 'a wake for a reader');
    strictEqual((await read()).last, 2);
    stop();
    const other = await new Promise<() => void>((resolve) => {
      let end = (): void => undefined;
      void storage.feeds
        .watchFeeds(() => resolve(end))
        .then((unwatch) => {
          end = unwatch;
          wakes = 0;
          return feed(1);
        });
    });
    strictEqual(wakes, 0);
    other();
  }),
  'only its own account finds an event in a feed': pulling(async ({ storage: { feeds }, id, endpoint, feed }) => {
    const [first, second] = await feed(2);
    ok(first && second);
    strictEqual(await feeds.findEntry(ours, id, second.id), 2);
    for (const [accountId, endpointId, eventId] of [
      [theirs, id, first.id],
      [ours, endpoint.id, first.id],
      [ours, id, newId()],
      [ours, 'no id', 'no id'],
    ] as const)
      strictEqual(await feeds.findEntry(accountId, endpointId, eventId), undefined);
  }),
  'an entry is pruned with its event: the last one is remembered, and numbers continue': pulling(async (world) => {
    const { storage, id, read, feed } = world;
    const old = await feed(3);
    await world.elapse(2 * day);
    const young = await feed(1);
    await markSettled(world);
    await storage.log.prune(allShards, { held: 9 * day, deleted: 9 * day, events: day, limit: 100 });
    const part = await read({ places: [1] });
    deepStrictEqual([part.last, part.pruned, idsOf(part)], [4, 3, namesOf(young)]);
    deepStrictEqual(part.places, [{ number: 3, eventId: old[2]?.id }]);
    deepStrictEqual(numbersOf(await read({ after: 1 })), [4]);
    strictEqual(await storage.feeds.findEntry(ours, id, old[0]?.id ?? ''), undefined);
    await feed(1);
    strictEqual((await read()).last, 5);
  }),
  'an event that is pruned before an older one moves the begin of the feed': pulling(async (world) => {
    const { storage, id, endpoint: push, read } = world;
    const published = events(2);
    await publish(storage, published);
    const [older, younger] = (await readOutbox(storage)).map((each) =>
      dispatched(each, { endpointIds: [push.id], pullEndpointIds: [id] }),
    );
    ok(older && younger);
    const [waiting, delivered] = [keyOf(older.event, push.id), keyOf(younger.event, push.id)];
    await storage.deliveries.dispatch(worker, [older, younger], [pending(waiting)], 0);
    await world.settle({ attempts: [logged(delivered, 1, answered(200), 'delivered')] });
    await dropEvents(world);
    const part = await read();
    deepStrictEqual([part.pruned, numbersOf(part)], [2, []]);
    deepStrictEqual(part.places, [{ number: 2, eventId: published[1]?.id }]);
  }),
  'an endpoint that is stored again continues its numbers until its last entry is pruned': pulling(async (world) => {
    const { storage, id, read, feed } = world;
    const found = await storage.endpoints.findEndpoint(ours, id);
    ok(found);
    const again = async (): Promise<void> => {
      strictEqual(await storage.endpoints.deleteEndpoint(ours, id), true);
      strictEqual(await storage.feeds.readFeed(ours, id, everything), undefined);
      deepStrictEqual(await storage.feeds.readProgress(feedsOf(ours, id)), []);
      strictEqual(await storage.endpoints.insertEndpoint(found, 20), true);
    };
    await feed(2);
    await again();
    await feed(1);
    strictEqual((await read()).last, 3);
    await dropEvents(world);
    strictEqual((await read()).pruned, 3);
    await again();
    await feed(1);
    deepStrictEqual(numbersOf(await read()), [1]);
  }),
  'the feed of a deleted endpoint ends with its last entry': pulling(async (world) => {
    const { storage, id, read, feed } = world;
    const found = await storage.endpoints.findEndpoint(ours, id);
    ok(found);
    await feed(2);
    strictEqual(await storage.endpoints.deleteEndpoint(ours, id), true);
    await dropEvents(world);
    strictEqual(await storage.endpoints.insertEndpoint(found, 20), true);
    const { now: _now, ...part } = await read();
    deepStrictEqual(part, { last: 0, pruned: 0, places: [], entries: [] });
  }),
  'events are not replayed to a pull endpoint': pulling(async ({ storage, id, read, feed }) => {
    await feed(1);
    const period = { from: 0, to: 2 ** 48 - 1 };
    for (const isDryRun of [true, false])
      deepStrictEqual(await storage.log.replay(ours, id, { ...period, isDryRun }), { kind: 'wrong_kind' });
    strictEqual((await read()).last, 1);
  }),
  'a feed survives its owner: another worker continues the numbers': pulling(async (world) => {
    const { storage, read, feed } = world;
    await feed(1);
    await markSettled(world);
    await storage.shards.leave(worker);
    await storage.shards.join('other', lease);
    await feed(1);
    deepStrictEqual(numbersOf(await read()), [1, 2]);
    await storage.shards.leave('other');
  }),
};

/**
 * Tests the obligations of a `FeedStore`: the order of numbers above all. An entry that is committed behind a number
 * that was read is lost for its reader.
 */
export const feedStoreContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
