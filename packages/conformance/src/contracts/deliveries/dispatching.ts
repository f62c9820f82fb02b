import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert';
import { type EpochMs, hour } from '@partnerkit/core';
import { type EventDispatch, envelopeText, type PendingChange, shardCount, shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import {
  dispatchAll,
  dispatched,
  events,
  keyOf,
  lease,
  pending,
  publish,
  readOutbox,
  worker,
} from '../support/acts.ts';
import { type Cases, whateverTheClocks } from '../support/contract.ts';
import { child, endpoint, event, ours, sameHash, theirs } from '../support/records.ts';
import { deliveriesOf, eventIdsOf, findEvent, stored } from '../support/stored.ts';
import { beside, type World } from '../support/world.ts';

const dispatch = (
  { storage: { deliveries } }: World,
  batch: readonly EventDispatch[],
  postponed: readonly PendingChange[] = [],
  notBefore: EpochMs = 0,
) => deliveries.dispatch(worker, batch, postponed, notBefore);

/** Plans everything in the outbox for our endpoint. */
const plan = async ({ storage, endpoint: { id } }: World, change: Partial<EventDispatch> = {}) =>
  (await readOutbox(storage)).map((each) => dispatched(each, { endpointIds: [id], ...change }));

/** The number of deliveries of events that were dispatched in this period. */
const countDispatched = async ({ storage }: World, from: EpochMs, to: EpochMs): Promise<number> =>
  (await deliveriesOf(storage, ours, { from, to })).length;

/** The whole millisecond of the first dispatch, which is within the given times. */
const firstDispatchedAt = async (world: World, from: EpochMs, to: EpochMs): Promise<EpochMs> => {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await countDispatched(world, from, middle + 1)) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
};

const dispatchedNow = async (world: World): Promise<void> => {
  await publish(world.storage, events(3));
  const before = await world.storeNow();
  await dispatch(world, await plan(world));
  const [from, to] = [Math.floor(before), Math.ceil(await world.storeNow())];
  const at = await firstDispatchedAt(world, from, to);
  strictEqual(await countDispatched(world, at, at + 1), 3);
};

/** How events leave the outbox. */
export const dispatchingCases: Cases<StorageFixture> = {
  'a dispatched event leaves the outbox, with the bytes of its timestamp, for its endpoints': beside(async (world) => {
    const { storage, endpoint: own } = world;
    const [other, published] = [endpoint(), event({ occurredAt: 1_735_689_600_123 })];
    await storage.endpoints.insertEndpoint(other, 20);
    await publish(storage, [published]);
    const endpointIds = [own.id, other.id];
    strictEqual(await dispatch(world, await plan(world, { timestamp: 1_735_689_777, endpointIds })), 'stored');
    deepStrictEqual(await readOutbox(storage), []);
    const timestamp = 1_735_689_777;
    const body = envelopeText(timestamp, published.bodyTail);
    deepStrictEqual(await findEvent(storage, ours, published.id), { ...published, timestamp, body });
    deepStrictEqual(
      (await deliveriesOf(storage, ours))
        .map(({ endpointId, state, attempts }) => [endpointId, state, attempts])
        .toSorted(),
      endpointIds.map((id) => [id, 'waiting', 0]).toSorted(),
    );
  }),
  'a worker dispatches events of its own shards, and leaves those of others': beside(async (world) => {
    const { storage, endpoint: own } = world;
    await publish(storage, [event(), event({ accountId: child })]);
    const batch = await plan(world, { propagates: true });
    const waiting = batch.map((each) => pending(keyOf(each.event, own.id)));
    const shard = shardOf(ours);
    await storage.shards.release(worker, [shard]);
    const before = await stored(storage, ours);
    strictEqual(await dispatch(world, batch, waiting), 'stored');
    deepStrictEqual(await stored(storage, ours), before);
    const inOutbox = async () => (await readOutbox(storage)).map(({ accountId }) => accountId);
    deepStrictEqual(await inOutbox(), [ours]);
    await storage.shards.join('other', lease);
    deepStrictEqual(await storage.shards.acquire('other', shardCount), [{ shard, watermark: 0, wasAbandoned: false }]);
    strictEqual(await dispatch(world, batch, waiting), 'stored');
    deepStrictEqual(await stored(storage, ours), before);
    strictEqual(await storage.deliveries.dispatch('other', batch, [], 0), 'stored');
    deepStrictEqual(await inOutbox(), []);
    const served = await stored(storage, ours);
    strictEqual(await dispatch(world, batch, waiting), 'stored');
    deepStrictEqual(await stored(storage, ours), served);
  }),
  'a repeated dispatch changes nothing, and dispatches new events': beside(async (world) => {
    const { storage } = world;
    await publish(storage, events(2));
    const first = await plan(world, { propagates: true });
    for (let times = 0; times < 2; times++) strictEqual(await dispatch(world, first), 'stored');
    const before = await stored(storage, ours);
    strictEqual(before.propagated.length, 2);
    const [again] = first;
    ok(again);
    strictEqual(await dispatch(world, [{ ...again, timestamp: again.timestamp + 9, endpointIds: [] }]), 'stored');
    deepStrictEqual(await stored(storage, ours), before);
    await publish(storage, events(1));
    strictEqual(await dispatch(world, [...first, ...(await plan(world))]), 'stored');
    deepStrictEqual((await stored(storage, ours)).events.slice(0, 2), before.events);
    strictEqual((await deliveriesOf(storage, ours)).length, 3);
  }),
  ...whateverTheClocks(
    'events of one dispatch have the same dispatch time, by the clock of the store',
    beside(dispatchedNow),
  ),
  'events are dispatched at `notBefore` if that is later': beside(async (world) => {
    await publish(world.storage, events(2));
    const notBefore = Math.floor(await world.storeNow()) + hour;
    await dispatch(world, await plan(world), [], notBefore);
    strictEqual(await countDispatched(world, notBefore, notBefore + 1), 2);
  }),
  'two events of an object never share a timestamp: such a dispatch stores nothing': beside(async (world) => {
    const { storage, endpoint: own } = world;
    const timestamp = 1_735_689_600;
    const about = () => event({ objectId: 'object' });
    await publish(storage, [about()]);
    await dispatch(world, await plan(world, { timestamp }));
    // One valid dispatch; one that conflicts with a stored one, and two that conflict with each other.
    await publish(storage, [event(), about(), about()]);
    const before = await stored(storage, ours);
    const [good, ...clashing] = await plan(world, { timestamp, propagates: true });
    ok(good);
    const [one, two] = clashing.map((each) => ({ ...each, timestamp: timestamp + 1 }));
    for (const batch of [[good, ...clashing.slice(0, 1)], [good, one, two] as EventDispatch[]])
      await rejects(dispatch(world, batch, [pending(keyOf(good.event, own.id))]));
    deepStrictEqual(await stored(storage, ours), before);
  }),
  'a timestamp may be shared by many objects, and by an object in many accounts': async ({ storage }) => {
    const published = ['acc_third', ours, theirs].flatMap((accountId) =>
      ['object', 'Object', 'object '].map((objectId) => event({ accountId, objectId })),
    );
    await publish(storage, published);
    await dispatchAll(storage, () => ({ timestamp: 1_735_689_600 }));
    strictEqual((await eventIdsOf(storage, ours)).length, 3);
    deepStrictEqual(await readOutbox(storage), []);
  },
  'events of two objects that share a hash are dispatched one after the other': async ({ storage }) => {
    const published = sameHash.map((objectId) => event({ objectId, occurredAt: 1_735_689_600_000 }));
    for (const each of published) {
      await publish(storage, [each]);
      await dispatchAll(storage);
    }
    const found = await Promise.all(published.map(({ id }) => findEvent(storage, ours, id)));
    const bodies = found.map((each) => each !== undefined && 'body' in each);
    deepStrictEqual(bodies, [true, true]);
    for (const objectId of sameHash)
      deepStrictEqual(
        (await storage.events.listEvents(ours, {}, { objectId })).items.map((each) => each.objectId),
        [objectId],
      );
  },
  'postponed deliveries become pending; pending ones do not change': beside(async (world) => {
    const { storage, settle, due, queued } = world;
    await publish(storage, events(3));
    const batch = await plan(world);
    const [first, second, third] = batch.map((each) => keyOf(each.event, world.endpoint.id));
    ok(first && second && third);
    const changes = [
      pending(first),
      pending(second, { state: 'scheduled', dueIn: hour }),
      pending(third, { state: 'scheduled' }),
    ];
    await dispatch(world, batch, changes);
    const ids = async () => [await queued(), await due()].map((each) => each.map(({ eventId }) => eventId));
    deepStrictEqual(await ids(), [[first.eventId], [third.eventId]]);
    await settle({ pending: [pending(first, { attempts: 3, logged: 4 })] });
    await dispatch(world, batch, changes);
    deepStrictEqual(
      (await queued()).map(({ attempts, logged }) => [attempts, logged]),
      [[3, 4]],
    );
    await world.elapse(hour);
    deepStrictEqual((await due()).map(({ eventId }) => eventId).toSorted(), [second.eventId, third.eventId].toSorted());
  }),
};
