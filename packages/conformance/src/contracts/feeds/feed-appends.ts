import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { hour } from '@partnerkit/core';
import { envelopeText, shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { dispatchAll, events, lease, markSettled, publish, readOutbox, takeShards, worker } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { event, inShardOf, newId, ours, theirs } from '../support/records.ts';
import { deliveriesOf, findEvent } from '../support/stored.ts';
import { everything, feedsOf, idsOf, namesOf, numbersOf, pulled, pulling, toFeed } from './pulling.ts';

/** Which events join a feed, and in which order. */
export const feedAppends: Cases<StorageFixture> = {
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
