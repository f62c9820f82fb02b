import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { hour, type NewEvent, type ReplayRange } from '@partnerkit/core';
import type { Cases } from './contract.ts';
import { race } from './racers.ts';
import { endpoint, event, newId, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { answered, beside, deliveriesOf, dispatchAll, events, publish, type World } from './world.ts';

const always: ReplayRange = { from: 0, to: 2 ** 48 - 1 };

/** Replays a time to the end, and tells how many deliveries that made. */
const replayAll = async ({ storage: { log } }: World, endpointId: string, range = always): Promise<number> => {
  let made = 0;
  for (let after: string | undefined; ; ) {
    const replayed = await log.replay(ours, endpointId, after === undefined ? range : { ...range, after });
    ok(replayed.kind === 'replayed');
    made += replayed.deliveries;
    if (replayed.next === undefined) return made;
    ok(replayed.next !== after, 'a batch leads to itself');
    after = replayed.next;
  }
};

/** An endpoint that came too late for what was published before. */
const latecomer = async ({ storage }: World) => {
  const late = endpoint({ url: 'https://late.partner.example/' });
  await storage.endpoints.insertEndpoint(late, 20);
  return late;
};

const idsOf = (published: readonly Pick<NewEvent, 'id'>[]): readonly string[] =>
  published.map(({ id }) => id).toSorted();
const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

/** What a replay sends, and what it does not delay. @internal */
export const replayingCases: Cases<StorageFixture> = {
  'a replay sends what the endpoint takes now, sent to it before or not, with the same bytes': beside(async (world) => {
    const { storage } = world;
    const published = await world.deliver(3);
    const others = [event({ type: 'cancel' }), event({ onlyTo: world.endpoint.id })];
    await publish(storage, others);
    await dispatchAll(storage);
    const sent = await world.claim();
    await world.settle(sent, 'delivered', answered(200));
    const late = await latecomer(world);
    for (const [endpointId, expected] of [
      [late.id, published],
      [world.endpoint.id, published],
    ] as const) {
      strictEqual(await replayAll(world, endpointId), expected.length);
      const claims = await world.claim();
      deepStrictEqual(idsOf(claims.map((claim) => claim.event)), idsOf(expected));
      for (const claim of claims) {
        strictEqual(claim.attempt, 1);
        strictEqual(claim.endpoint.id, endpointId);
        deepStrictEqual(claim.event, sent.find((each) => each.event.id === claim.event.id)?.event);
      }
      await world.settle(claims, 'delivered', answered(200));
    }
    await world.change({ events: ['cancel'] });
    strictEqual(await replayAll(world, world.endpoint.id), 1);
  }),
  'a replay begins and ends when it should, and knows nothing of what was not dispatched': beside(async (world) => {
    const published = await world.deliver(6);
    await publish(world.storage, events(2));
    const late = await latecomer(world);
    const [from, to] = [timeOf(published[2]?.id ?? ''), timeOf(published[4]?.id ?? '')];
    strictEqual(await replayAll(world, late.id, { from: to, to: from }), 0);
    strictEqual(await replayAll(world, late.id, { from, to }), 2);
    const replayed = await deliveriesOf(world.storage, ours, { endpointId: late.id });
    deepStrictEqual(replayed.map(({ eventId }) => eventId).toSorted(), idsOf(published.slice(2, 4)));
  }),
  'what is under way is passed by, so a replay may be begun again': beside(async (world) => {
    const published = await world.deliver(5);
    const late = await latecomer(world);
    strictEqual(await replayAll(world, late.id), 5);
    strictEqual(await replayAll(world, late.id), 0);
    const claims = (await world.claim()).filter((claim) => claim.endpoint.id === late.id);
    strictEqual(claims.length, 5);
    strictEqual(await replayAll(world, late.id), 0);
    await world.settle(claims.slice(0, 2), { retryIn: hour });
    strictEqual(await replayAll(world, late.id), 0);
    await world.settle(claims.slice(2), 'delivered', answered(200));
    strictEqual(await replayAll(world, late.id), 3);
    strictEqual((await deliveriesOf(world.storage, ours, { endpointId: late.id })).length, published.length + 3);
  }),
  'a long replay comes in batches, each event once': beside(async (world) => {
    await world.deliver(1_100);
    const late = await latecomer(world);
    const first = await world.storage.log.replay(ours, late.id, always);
    ok(first.kind === 'replayed' && first.next !== undefined && first.deliveries < 1_100);
    const rest = await replayAll(world, late.id, { ...always, after: first.next });
    strictEqual(first.deliveries + rest, 1_100);
    const made = await deliveriesOf(world.storage, ours, { endpointId: late.id });
    strictEqual(new Set(made.map(({ eventId }) => eventId)).size, 1_100);
  }),
  'of many who replay at once each event is sent by one': beside(async (world) => {
    await world.deliver(20);
    const late = await latecomer(world);
    const replayed = await race(() => world.storage.log.replay(ours, late.id, always));
    strictEqual(
      replayed.reduce((made, each) => made + (each.kind === 'replayed' ? each.deliveries : 0), 0),
      20,
    );
  }),
  'what is new goes before what is replayed, by claim and by dispatch': beside(async (world) => {
    const { storage } = world;
    const old = await world.deliver(6);
    await world.settle(await world.claim(), 'delivered', answered(200));
    await replayAll(world, world.endpoint.id);
    const waiting = await world.deliver(2);
    deepStrictEqual(idsOf((await world.claim({ limit: 2 })).map((claim) => claim.event)), idsOf(waiting));
    const direct = events(2);
    await publish(storage, direct);
    const [dispatched] = await dispatchAll(storage, { limit: 2 });
    deepStrictEqual(idsOf((dispatched?.claimed ?? []).map((claim) => claim.event)), idsOf(direct));
    const [retried] = await world.claim({ limit: 1 });
    ok(retried && old.some(({ id }) => id === retried.event.id));
    // Once attempted it is like any other.
    await world.settle([retried], { retryIn: 0 });
    deepStrictEqual((await world.claimOne({ limit: 1 })).deliveryId, retried.deliveryId);
    strictEqual((await world.claim()).length, 5);
  }),
  'what is replayed waits, is held and released like the rest, and still comes last': beside(async (world) => {
    const [old] = await world.deliver(1);
    await world.settle(await world.claim(), 'delivered', answered(200));
    await replayAll(world, world.endpoint.id);
    await world.change({ state: 'disabled' });
    deepStrictEqual((await deliveriesOf(world.storage, ours)).map(({ state }) => state).toSorted(), [
      'delivered',
      'held',
    ]);
    await world.change({ state: 'enabled' });
    const facts = await world.storage.log.findFacts(ours, old?.id ?? '', world.endpoint.id);
    const waiting = facts.deliveries.find(({ state }) => state === 'waiting');
    ok(waiting?.state === 'waiting' && waiting.dueAt <= facts.now);
    const [fresh] = await world.deliver(1);
    strictEqual((await world.claimOne({ limit: 1 })).event.id, fresh?.id);
    strictEqual((await world.claimOne()).event.id, old?.id);
  }),
  'what is replayed and given back was not attempted, and still comes last': beside(async (world) => {
    const { log, queue } = world.storage;
    const old = await world.deliver(2);
    await world.settle(await world.claim(), 'delivered', answered(200));
    await replayAll(world, world.endpoint.id);
    await queue.release(await world.claim());
    deepStrictEqual(await log.countBacklog(ours), { undispatched: 0, waiting: 2, held: 0, beingAttempted: 0 });
    const [fresh] = await world.deliver(1);
    strictEqual((await world.claim({ limit: 1 }))[0]?.event.id, fresh?.id);
    const again = await world.claim();
    deepStrictEqual(idsOf(again.map((claim) => claim.event)), idsOf(old));
    // Also where it is held meanwhile.
    await world.change({ state: 'disabled' });
    await queue.release(again);
    await world.change({ state: 'enabled' });
    const [newest] = await world.deliver(1);
    strictEqual((await world.claim({ limit: 1 }))[0]?.event.id, newest?.id);
    strictEqual((await world.claim()).length, 2);
  }),
  'what is replayed and sent again by itself waits for nothing': beside(async (world) => {
    await world.deliver(2);
    await world.settle(await world.claim(), 'delivered', answered(200));
    await replayAll(world, world.endpoint.id);
    const last = (await deliveriesOf(world.storage, ours, { state: 'waiting' })).at(-1);
    deepStrictEqual(await world.storage.log.sendAgain(ours, last?.id ?? ''), { kind: 'sent', deliveryId: last?.id });
    strictEqual((await world.claimOne({ limit: 1 })).deliveryId, last?.id);
  }),
  'nothing is replayed to an endpoint that is disabled, deleted, or of another account': beside(async (world) => {
    const { log, endpoints } = world.storage;
    await world.deliver(1);
    const foreign = (await endpoints.listEndpoints(theirs, {})).items[0]?.id ?? '';
    for (const id of [foreign, newId()]) deepStrictEqual(await log.replay(ours, id, always), { kind: 'not_found' });
    deepStrictEqual(await log.replay(theirs, world.endpoint.id, always), { kind: 'not_found' });
    for (const state of ['disabled', 'disabled_by_breaker'] as const) {
      await world.change({ state });
      deepStrictEqual(await log.replay(ours, world.endpoint.id, always), { kind: 'endpoint_disabled' });
    }
    await endpoints.deleteEndpoint(ours, world.endpoint.id);
    deepStrictEqual(await log.replay(ours, world.endpoint.id, always), { kind: 'not_found' });
    strictEqual((await deliveriesOf(world.storage, ours)).length, 1);
  }),
};
