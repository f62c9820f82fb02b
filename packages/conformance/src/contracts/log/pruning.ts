import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type Delivery, day, type EndpointState, hour, minute, second } from '@partnerkit/core';
import { type PruneLimits, type PruneOutcome, shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { answered, dispatchAll, eventsOf, logged, markSettled, pending, publish, readOutbox } from '../support/acts.ts';
import { type Cases, whateverTheClocks } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { event, ours } from '../support/records.ts';
import { slack } from '../support/store-time.ts';
import { deliveriesOf, eventIdsOf, findEvent } from '../support/stored.ts';
import { beside, type World } from '../support/world.ts';

/** Nothing of the other account may be deleted, however old it is. */
const shards = [shardOf(ours)];
const never = 10_000 * day;
const kept: PruneLimits = { held: never, deleted: hour, events: never, limit: 1_000 };
const limits = { held: 14 * day, deleted: hour, events: 30 * day };
const [held, old] = [{ held: limits.held }, { events: limits.events }];

/**
 * Marks everything as settled, and prunes until nothing is left to prune. Resolves to the number of our expired
 * deliveries, by endpoint.
 */
const prune = async (world: World, change: Partial<PruneLimits>): Promise<Readonly<Record<string, number>>> => {
  await markSettled(world);
  const expired: Record<string, number> = {};
  for (let pruned: PruneOutcome | undefined; pruned?.hasMore !== false; ) {
    pruned = await world.storage.log.prune(shards, { ...kept, ...change });
    for (const { accountId, endpointId, deliveries } of pruned.expired) {
      strictEqual(accountId, ours);
      expired[endpointId] = (expired[endpointId] ?? 0) + deliveries;
    }
  }
  return expired;
};
const ids = ({ storage }: World): Promise<readonly string[]> => eventIdsOf(storage, ours);
const states = async ({ storage }: World): Promise<readonly Delivery['state'][]> =>
  (await deliveriesOf(storage, ours)).map(({ state }) => state);

/** The timestamp of a new event, dispatched and settled. */
const secondOf = async (world: World, occurredAt: number): Promise<number> => {
  const [key] = await world.complete(1, { objectId: 'one', occurredAt });
  const found = await findEvent(world.storage, ours, key.eventId);
  ok(found && 'timestamp' in found);
  return found.timestamp;
};

const expiresInTime = async (world: World): Promise<void> => {
  const [key] = await world.enqueue(3);
  await world.elapse(day);
  await world.change({ state: 'disabled' });
  await world.elapse(limits.held - slack);
  deepStrictEqual(await prune(world, held), {});
  await world.elapse(slack);
  deepStrictEqual(await prune(world, held), { [world.endpoint.id]: 3 });
  deepStrictEqual(await states(world), ['expired', 'expired', 'expired']);
  deepStrictEqual(await world.queued(), []);
  // An expiry is not an attempt.
  deepStrictEqual(await world.storage.log.listAttempts(key), []);
  deepStrictEqual((await deliveriesOf(world.storage, ours))[0]?.attempts, 0);
  const { deliveries } = await world.storage.log.readExplainSnapshot(ours, key.eventId, world.endpoint.id);
  ok(deliveries[0]?.state === 'expired' && deliveries[0].reason === 'held_too_long');
};

const eventsGoInTime = async (world: World): Promise<void> => {
  await world.complete(2);
  await world.elapse(limits.events - slack);
  await prune(world, old);
  strictEqual((await ids(world)).length, 2);
  await world.elapse(slack);
  await prune(world, old);
  deepStrictEqual(await ids(world), []);
};

/** Rows that are deleted by age. */
export const pruningCases: Cases<StorageFixture> = {
  ...whateverTheClocks('deliveries that are held too long expire, and are reported by endpoint', beside(expiresInTime)),
  'a delivery is held since its endpoint was disabled, or since its creation': beside(async (world) => {
    const change = (state: EndpointState) => world.change({ state });
    await world.enqueue(1);
    await change('disabled_by_breaker');
    await world.elapse(7 * day);
    await world.enqueue(1);
    await world.elapse(7 * day);
    deepStrictEqual(await prune(world, held), { [world.endpoint.id]: 1 });
    deepStrictEqual(await states(world), ['expired', 'held']);
    await change('enabled');
    await world.elapse(20 * day);
    await change('disabled');
    await world.elapse(13 * day);
    deepStrictEqual(await prune(world, held), {});
    await world.elapse(day);
    deepStrictEqual(await prune(world, held), { [world.endpoint.id]: 1 });
  }),
  'pending deliveries of a deleted endpoint expire, once no attempt can be in flight': beside(async (world) => {
    const [key, other] = await world.enqueue(2);
    await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id);
    await world.elapse(limits.deleted - slack);
    deepStrictEqual(await prune(world, {}), {});
    // An attempt in flight is still settled.
    await world.settle({
      attempts: [
        { ...key, number: 1, outcome: { kind: 'answered', status: 200, body: '', durationMs: 1 }, state: 'delivered' },
      ],
      finished: [key],
    });
    await world.elapse(slack);
    deepStrictEqual(await prune(world, {}), {});
    deepStrictEqual([await states(world), await world.queued()], [['delivered', 'expired'], []]);
    const { deliveries } = await world.storage.log.readExplainSnapshot(ours, other.eventId, other.endpointId);
    ok(deliveries[0]?.state === 'expired' && deliveries[0].reason === 'endpoint_deleted');
  }),
  'a call prunes about as many rows as its limit, and reports that there are more': beside(async (world) => {
    await world.enqueue(20);
    await world.change({ state: 'disabled' });
    await world.elapse(limits.held);
    const first = await world.storage.log.prune(shards, { ...kept, ...held, limit: 5 });
    const expired = first.expired.reduce((sum, { deliveries }) => sum + deliveries, 0);
    ok(first.hasMore && expired > 0 && expired <= 10, `${expired} of 20 expired`);
    deepStrictEqual(await prune(world, { ...held, limit: 5 }), { [world.endpoint.id]: 20 - expired });
  }),
  'exactly one of many simultaneous calls reports each expired delivery': beside(async (world) => {
    await world.enqueue(30);
    await world.change({ state: 'disabled' });
    await world.elapse(limits.held);
    const raced = await race(() => prune(world, { ...held, limit: 4 }));
    const expired = raced.map((each) => each[world.endpoint.id] ?? 0);
    strictEqual(
      expired.reduce((sum, count) => sum + count),
      30,
    );
  }),

  ...whateverTheClocks('events go when they are too old', beside(eventsGoInTime)),
  'an undispatched event is not pruned; its age counts from its dispatch': beside(async (world) => {
    await publish(world.storage, [event()]);
    await world.elapse(2 * limits.events);
    await prune(world, old);
    await dispatchAll(world.storage);
    await prune(world, old);
    strictEqual((await ids(world)).length, 1);
  }),
  'an event is not pruned while it has an unfinished delivery, or its shard is not settled up to it': beside(
    async (world) => {
      const [retried] = await world.enqueue(1);
      const [again] = await world.complete(1);
      await world.elapse(2 * limits.events);
      await markSettled(world);
      await world.storage.log.sendAgain(again);
      await world.elapse(second);
      // Its owner has it in memory, so its age does not matter.
      const [fresh] = await world.deliver(1);
      await world.elapse(2 * limits.events);
      for (let times = 0; times < 3; times++) await world.storage.log.prune(shards, { ...kept, ...old });
      deepStrictEqual(await ids(world), eventsOf([retried, again, fresh]));
      await world.settle({ finished: [retried, { ...again, replay: 1 }] });
      await prune(world, old);
      deepStrictEqual(await ids(world), []);
    },
  ),
  'rows that must stay do not block deletion of newer rows': beside(async (world) => {
    const stay = await world.enqueue(10);
    await world.elapse(hour);
    await world.complete(10);
    await world.elapse(limits.events);
    await markSettled(world);
    for (let times = 0; times < 20; times++) await world.storage.log.prune(shards, { ...kept, ...old, limit: 2 });
    deepStrictEqual(await ids(world), eventsOf(stay));
  }),
  'a timestamp is not reused after its event was pruned': beside(async (world) => {
    const occurredAt = Math.floor((await world.storeNow()) - hour);
    const [waits] = await world.deliver(1, { objectId: 'one', occurredAt: occurredAt - minute });
    await world.settle({ pending: [pending(waits)] });
    const used = await secondOf(world, occurredAt);
    await world.elapse(limits.events);
    await prune(world, old);
    strictEqual((await ids(world)).length, 1);
    await publish(world.storage, [event({ objectId: 'one' })]);
    strictEqual((await readOutbox(world.storage))[0]?.lastTimestamp, used);
    ok((await secondOf(world, occurredAt)) > used, 'a receiver would take it for the first one');
  }),
  'the attempts of an event go with it, and its deliveries are listed no more': beside(async (world) => {
    const { log } = world.storage;
    const [key, stays] = await world.deliver(2);
    await world.settle({
      attempts: [logged(key, 1, answered(200), 'delivered'), logged(stays, 1, answered(500))],
      pending: [pending(stays, { attempts: 1, logged: 1 })],
    });
    strictEqual((await log.listAttempts(key)).length, 1);
    await world.elapse(limits.events + slack);
    await prune(world, old);
    deepStrictEqual(
      [await ids(world), eventsOf(await deliveriesOf(world.storage, ours))],
      [eventsOf([stays]), eventsOf([stays])],
    );
    deepStrictEqual([await log.listAttempts(key), (await log.listAttempts(stays)).length], [[], 1]);
  }),
  'an event stays until its last attempt is as old': beside(async (world) => {
    const { log } = world.storage;
    const [key, done] = await world.complete(2);
    await world.elapse(limits.events - hour);
    await log.sendAgain(key);
    const again = { ...key, replay: 1 };
    await world.settle({ attempts: [logged(again, 1, answered(200), 'delivered')], finished: [again] });
    await world.elapse(hour + slack);
    await prune(world, old);
    deepStrictEqual([await ids(world), (await log.listAttempts(key)).length], [eventsOf([key]), 1]);
    deepStrictEqual(await log.listAttempts(done), []);
    await world.elapse(limits.events - hour);
    await prune(world, old);
    deepStrictEqual([await ids(world), await states(world)], [[], []]);
  }),
  'an event with more attempts than a call deletes goes in several calls, and blocks no other': beside(
    async (world) => {
      const [many, other] = await world.deliver(2);
      const log = Array.from({ length: 60 }, (_, nth) =>
        logged(many, nth + 1, answered(500), nth === 59 ? 'exhausted' : undefined),
      );
      await world.settle({ attempts: [...log, logged(other, 1, answered(200), 'delivered')] });
      await world.elapse(limits.events + slack);
      await prune(world, { ...old, limit: 2 });
      deepStrictEqual([await ids(world), await states(world)], [[], []]);
      deepStrictEqual(
        [await world.storage.log.listAttempts(many), await world.storage.log.listAttempts(other)],
        [[], []],
      );
    },
  ),
};
