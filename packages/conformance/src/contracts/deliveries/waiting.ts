import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type DurationMs, hour, minute, second } from '@partnerkit/core';
import { type PendingDelivery, type ShardedKey, type ShardRange, shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import {
  allShards,
  answered,
  dispatchAll,
  events,
  eventsOf,
  keyOf,
  logged,
  pending,
  publish,
  settle,
  takeShards,
  worker,
} from '../support/acts.ts';
import { type Cases, whateverTheClocks } from '../support/contract.ts';
import { endpoint, inShardOf, ours, theirs } from '../support/records.ts';
import { slack } from '../support/store-time.ts';
import { findEvent, stored } from '../support/stored.ts';
import { beside, type World } from '../support/world.ts';

const shard = shardOf(ours);
const scheduled = (key: ShardedKey, dueIn: DurationMs = 0) => pending(key, { state: 'scheduled', dueIn });
const recover = (watermark: number, wasAbandoned: boolean, ...shards: readonly number[]) =>
  shards.map((each) => ({ shard: each, watermark, wasAbandoned }));

const dueInTime = async ({ deliver, settle: store, due, elapse }: World): Promise<void> => {
  const [now, later] = await deliver(2);
  await store({ pending: [scheduled(now), scheduled(later, hour)] });
  deepStrictEqual(eventsOf(await due()), [now.eventId]);
  await elapse(hour - slack);
  deepStrictEqual(eventsOf(await due()), [now.eventId]);
  await elapse(slack);
  deepStrictEqual(eventsOf(await due()).toSorted(), eventsOf([now, later]));
};

/** How pending deliveries are read and taken over. */
export const waitingCases: Cases<StorageFixture> = {
  ...whateverTheClocks('scheduled deliveries are read once they are due, by the clock of the store', beside(dueInTime)),
  'a pending delivery is read with its dispatched event': beside(async (world) => {
    const [key] = await world.deliver(1, { origin: 'acc_child', traceContext: 'trace', occurredAt: 1_735_689_600_123 });
    const found = await findEvent(world.storage, ours, key.eventId);
    ok(found && 'body' in found);
    const expected: PendingDelivery = {
      ...key,
      event: found,
      attempts: 4,
      logged: 5,
      wasAbandoned: false,
      isUrgent: false,
    };
    await world.settle({ pending: [pending(key, { attempts: 4, logged: 5 })] });
    deepStrictEqual(await world.queued(), [expected]);
    await world.settle({ pending: [pending(key, { state: 'scheduled', attempts: 4, logged: 5 })] });
    deepStrictEqual(await world.due(), [expected]);
  }),
  'an urgent delivery is read as such until it is attempted or queued': beside(async (world) => {
    const urgencyOf = async () => [...(await world.queued()), ...(await world.due())].map(({ isUrgent }) => isUrgent);
    const [key] = await world.deliver(1);
    const urgent = pending(key, { state: 'scheduled', attempts: 1, logged: 1, isUrgent: true });
    const attempts = [logged(key, 1, answered(500))];
    await world.settle({ attempts, pending: [urgent] });
    deepStrictEqual(await urgencyOf(), [true]);
    await world.settle({ queued: [{ ...key, isUrgent: true }] });
    deepStrictEqual(await urgencyOf(), [false]);
    await world.settle({ pending: [urgent] });
    deepStrictEqual(await urgencyOf(), [true]);
    await world.settle({ pending: [pending(key, { state: 'scheduled', attempts: 2, logged: 2 })] });
    deepStrictEqual(await urgencyOf(), [false]);
  }),
  'due deliveries are read of the given shards, up to the limit, without the excluded ones': async ({ storage }) => {
    await takeShards(storage);
    const made = [...events(5), ...events(5, { accountId: theirs })];
    await publish(storage, made);
    await dispatchAll(storage);
    const keys = made.map((each) => keyOf(each, endpoint().id));
    await settle(storage, { pending: keys.map((key) => scheduled(key)) });
    const read = async (shards: readonly number[], limit: number, except: readonly ShardedKey[] = []) =>
      eventsOf((await storage.deliveries.readDue(shards, limit, except, 0)).deliveries);
    deepStrictEqual((await read([shard], 100)).toSorted(), eventsOf(keys.slice(0, 5)));
    deepStrictEqual((await read(allShards, 100)).toSorted(), eventsOf(keys));
    strictEqual((await read(allShards, 3)).length, 3);
    const others = [
      { ...keys[4], replay: 1 },
      { ...keys[4], endpointId: endpoint().id },
    ] as ShardedKey[];
    deepStrictEqual((await read(allShards, 6, [...keys.slice(0, 4), ...others])).toSorted(), eventsOf(keys.slice(4)));
    deepStrictEqual(await read([], 100), []);
  },
  'queued deliveries of an endpoint are read in the order in which they were due': beside(async (world) => {
    const keys = await world.deliver(4);
    const [a, b, c, d] = keys;
    const dueIn = [hour, -hour, -2 * hour, 0];
    await world.settle({ pending: keys.map((key, index) => pending(key, { dueIn: dueIn[index] ?? 0 })) });
    deepStrictEqual(eventsOf(await world.queued()), eventsOf([c, b, d, a]));
    deepStrictEqual(eventsOf(await world.queued({ limit: 2 })), eventsOf([c, b]));
  }),
  'queued deliveries are read most attempted first, then by their due time': beside(async (world) => {
    const keys = await world.deliver(4);
    const [a, b, c, d] = keys;
    const [dueIn, attempts] = [
      [0, -hour, -2 * hour, -minute],
      [3, 0, 3, 7],
    ];
    await world.settle({
      pending: keys.map((key, index) => pending(key, { dueIn: dueIn[index] ?? 0, attempts: attempts[index] ?? 0 })),
    });
    deepStrictEqual(eventsOf(await world.queued({ order: 'attempts' })), eventsOf([d, c, a, b]));
    deepStrictEqual(eventsOf(await world.queued({ order: 'attempts', limit: 1 })), eventsOf([d]));
  }),
  'each queue is read up to its limit, without the excluded deliveries': beside(async (world) => {
    const { storage } = world;
    const hooks = [endpoint(), endpoint()];
    for (const hook of hooks) await storage.endpoints.insertEndpoint(hook, 20);
    const keys = (await world.deliver(3)).flatMap((key) => [
      key,
      ...hooks.map(({ id }) => ({ ...key, endpointId: id })),
    ]);
    await world.settle({ pending: keys.map((key, index) => pending(key, { dueIn: index })) });
    const queue = { shard, accountId: ours, order: 'due' } as const;
    const [first, second] = hooks.map(({ id }) => id);
    ok(first && second);
    const of = (endpointId: string) => keys.filter((key) => key.endpointId === endpointId);
    const { deliveries } = await storage.deliveries.readQueued(
      [
        { ...queue, endpointId: first, limit: 1 },
        { ...queue, endpointId: second, limit: 2, order: 'attempts' },
        { ...queue, accountId: theirs, endpointId: first, limit: 9 },
      ],
      [...of(first).slice(0, 1), { ...of(first)[1], replay: 1 } as ShardedKey],
      0,
    );
    const read = deliveries.map(({ endpointId, eventId }) => [endpointId, eventId]);
    const expected = [...of(first).slice(1, 2), ...of(second).slice(0, 2)];
    deepStrictEqual(read.toSorted(), expected.map(({ endpointId, eventId }) => [endpointId, eventId]).toSorted());
  }),

  'deliveries in the memory of an owner are queued for the next owner, in the order of dispatch': beside(
    async (world) => {
      const { storage, endpoint: own } = world;
      const start = Math.floor(await world.storeNow());
      const deliver = async (count: number, notBefore: number) => {
        const made = events(count);
        await publish(storage, made);
        await dispatchAll(storage, () => ({ endpointIds: [own.id] }), start + notBefore);
        return made.map((each) => keyOf(each, own.id));
      };
      const settled = await deliver(1, minute);
      const later = await deliver(1, hour + second);
      const [exact, delivered, retried] = await deliver(3, hour);
      ok(exact && delivered && retried && settled[0] && later[0]);
      await world.settle({
        attempts: [logged(delivered, 1, answered(200), 'delivered'), logged(retried, 1, answered(500))],
        pending: [scheduled(retried, hour)],
      });
      const neighbour = recover(0, true, ...allShards.filter((each) => each !== shard));
      strictEqual(
        await storage.deliveries.recover(worker, [...neighbour, ...recover(start + hour, false, shard)]),
        'stored',
      );
      const queued = await world.queued();
      deepStrictEqual(eventsOf(queued), eventsOf([exact, later[0]]));
      for (const each of queued) deepStrictEqual([each.wasAbandoned, each.logged], [false, 0]);
      deepStrictEqual(await world.due(), []);
      const before = await stored(storage, ours);
      await storage.deliveries.recover(worker, recover(start + hour, false, shard));
      deepStrictEqual(await stored(storage, ours), before);
    },
  ),
  'deliveries of an abandoned shard are marked as possibly attempted': beside(async (world) => {
    const { storage, settle: store } = world;
    const [fresh, due, later] = await world.deliver(3);
    await store({ pending: [scheduled(due), scheduled(later, hour)] });
    const flags = async () =>
      [...(await world.queued()), ...(await world.due())].map(({ eventId, wasAbandoned }) => [eventId, wasAbandoned]);
    await storage.deliveries.recover(worker, recover(0, true, shardOf(theirs)));
    deepStrictEqual(await flags(), [[due.eventId, false]]);
    await storage.deliveries.recover(worker, recover(0, true, shard));
    deepStrictEqual(await flags(), [
      [fresh.eventId, true],
      [due.eventId, true],
    ]);
    await world.elapse(hour);
    deepStrictEqual((await flags()).toSorted(), [
      [fresh.eventId, true],
      [due.eventId, true],
      [later.eventId, false],
    ]);
    // Once its attempt is settled, it is no longer in doubt.
    await store({ attempts: [logged(due, 1, answered(500))], pending: [scheduled(due)] });
    deepStrictEqual((await world.due()).find(({ eventId }) => eventId === due.eventId)?.wasAbandoned, false);
  }),

  'endpoints are read by account in the order of creation, with their queued deliveries': beside(async (world) => {
    const { storage, endpoint: own } = world;
    const [added, other] = [endpoint({ state: 'disabled' }), endpoint({ accountId: inShardOf(ours, 'acc_n') })];
    for (const each of [added, other]) await storage.endpoints.insertEndpoint(each, 20);
    const [first, second] = await world.deliver(2);
    await world.settle({ pending: [pending(first), scheduled({ ...second, endpointId: added.id })] });
    const read = async (...accountIds: readonly string[]) =>
      (await storage.deliveries.readEndpoints(accountIds, 0)).endpoints;
    const mine = await read(ours);
    deepStrictEqual(mine, [
      { endpoint: own, hasQueued: true, isSendingPaused: false },
      { endpoint: added, hasQueued: false, isSendingPaused: false },
    ]);
    deepStrictEqual(await read('acc_nobody', other.accountId), [
      { endpoint: other, hasQueued: false, isSendingPaused: false },
    ]);
    deepStrictEqual(await read(ours, ours), mine);
    strictEqual((await read(ours, other.accountId, theirs)).length, mine.length + 2);
    await world.settle({ finished: [first], pending: [scheduled(second)] });
    deepStrictEqual(await read(ours), [
      { endpoint: own, hasQueued: false, isSendingPaused: false },
      { endpoint: added, hasQueued: false, isSendingPaused: false },
    ]);
  }),

  'accounts with queued deliveries are found, in pages': beside(async (world) => {
    const { storage } = world;
    const [first, second] = await world.enqueue(2);
    // In the byte order of their ids, after ours.
    const accounts = ['acc_x', 'acc_y', 'acc_z'].map((begin) => inShardOf(ours, begin));
    for (const accountId of accounts) {
      const own = endpoint({ accountId });
      await storage.endpoints.insertEndpoint(own, 20);
      await publish(storage, events(1, { accountId }));
      const made = await dispatchAll(storage, () => ({ endpointIds: [own.id] }));
      await world.settle({ pending: made.map(({ event }) => pending(keyOf(event, own.id))) });
    }
    const find = (ranges: readonly ShardRange[], limit: number) => storage.deliveries.readQueuedAccounts(ranges, limit);
    const found: string[] = [];
    let rest: readonly ShardRange[] = [{ shard }];
    for (let calls = 0; rest.length > 0; calls++) {
      ok(calls < 3, 'pages of two accounts');
      const page = await find(rest, 2);
      ok(page.accountIds.length <= 2, 'at most the limit');
      found.push(...page.accountIds);
      rest = page.rest;
    }
    deepStrictEqual(found, [ours, ...accounts]);
    const [x, y, z] = accounts as [string, string, string];
    deepStrictEqual((await find([{ shard, after: x, before: z }], 10)).accountIds, [y]);
    deepStrictEqual(await find([], 10), { accountIds: [], rest: [] });
    await world.settle({ finished: [first], pending: [scheduled(second)] });
    deepStrictEqual(await find([{ shard }], 10), { accountIds: accounts, rest: [] });
  }),
};
