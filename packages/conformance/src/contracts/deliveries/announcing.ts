import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type EpochMs, hour } from '@partnerkit/core';
import {
  type AnnouncedDispatch,
  type AnnouncedEvent,
  envelopeText,
  type NewEvent,
  type OutboxEvent,
  shardOf,
} from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { dispatchAll, dispatched, dropEvents, events, keyOf, publish, readOutbox, worker } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { child, endpoint, event, inShardOf, ours } from '../support/records.ts';
import { deliveriesOf, findEvent, stored } from '../support/stored.ts';
import { beside, type World } from '../support/world.ts';

/** What a store may announce of an event. */
const announcementOf = (read: OutboxEvent): AnnouncedEvent => {
  const { id, accountId, shard, objectName, objectId, type, occurredAt, storedAt } = read;
  const announced = { id, accountId, shard, objectName, objectId, type, storedAt };
  return occurredAt === undefined ? announced : { ...announced, occurredAt };
};

/** The dispatch of an event for our endpoint, as the outbox and the endpoints are now. */
export const announcedDispatch = async (
  { storage, endpoint: { id } }: World,
  eventId: string,
  change: Partial<AnnouncedDispatch> = {},
): Promise<AnnouncedDispatch> => {
  const read = (await readOutbox(storage)).find((each) => each.id === eventId);
  ok(read, 'the event is in the outbox');
  const { endpointVersion } = await storage.deliveries.readOutbox([], 1, 0);
  return {
    event: announcementOf(read),
    timestamp: dispatched(read).timestamp,
    endpointIds: [id],
    endpointVersion,
    ...change,
  };
};

type Write = (batch: readonly AnnouncedDispatch[], notBefore?: EpochMs) => Promise<readonly NewEvent[]>;

/** A case for stores that announce events; others need not have it. */
const announcing = (act: (world: World, write: Write) => Promise<void>) =>
  beside(async (world) => {
    const { dispatchAnnounced } = world.storage.deliveries;
    if (!dispatchAnnounced) return;
    await act(world, async (batch, notBefore = 0) => {
      const found = await dispatchAnnounced(worker, batch, notBefore);
      ok(found !== 'fenced', 'the worker is a member');
      return found;
    });
  });

/** Publishes an event, and refuses its dispatch. */
const refused = (
  change: (world: World, made: AnnouncedDispatch) => Promise<AnnouncedDispatch | undefined>,
  given: Partial<NewEvent> = {},
) =>
  announcing(async (world, write) => {
    const published = event(given);
    await publish(world.storage, [published]);
    const made = await announcedDispatch(world, published.id);
    const batch = [(await change(world, made)) ?? made];
    const before = await stored(world.storage, ours);
    deepStrictEqual(await write(batch), []);
    deepStrictEqual(await stored(world.storage, ours), before);
  });

/** How announced events leave the outbox. */
export const announcingCases: Cases<StorageFixture> = {
  'an announced event is dispatched and read at once': announcing(async (world, write) => {
    const { storage, endpoint: own } = world;
    const published = event({ occurredAt: 1_735_689_600_123, traceContext: '00-1-2-01', idempotencyKey: 'once' });
    await publish(storage, [published]);
    const timestamp = 1_735_689_777;
    const whole = { ...published, timestamp, body: envelopeText(timestamp, published.bodyTail) };
    deepStrictEqual(await write([await announcedDispatch(world, published.id, { timestamp })]), [whole]);
    deepStrictEqual(await readOutbox(storage), []);
    deepStrictEqual(await findEvent(storage, ours, published.id), whole);
    const made = await deliveriesOf(storage, ours);
    deepStrictEqual(
      made.map(({ endpointId, state, attempts }) => [endpointId, state, attempts]),
      [[own.id, 'waiting', 0]],
    );
  }),
  'announced events of many accounts are dispatched, each only if it may be': announcing(async (world, write) => {
    const { storage } = world;
    const accounts = ['acc_a', 'acc_b', 'acc_c'].map((begin) => inShardOf(ours, begin));
    const published = [ours, ...accounts].map((accountId) => event({ accountId }));
    await publish(storage, published);
    const batch = await Promise.all(
      published.map(({ id }, nth) =>
        announcedDispatch(world, id, { endpointIds: [], ...(nth === 2 ? { endpointVersion: 0 } : {}) }),
      ),
    );
    const found = await write(batch);
    const [first, second, refusedOne, last] = published.map(({ id }) => id);
    deepStrictEqual(found.map(({ id }) => id).toSorted(), [first, second, last].toSorted());
    deepStrictEqual(
      (await readOutbox(storage)).map(({ id }) => id),
      [refusedOne],
    );
  }),
  'a repeated announced dispatch changes nothing, and reads the events again': announcing(async (world, write) => {
    const { storage } = world;
    const published = event();
    await publish(storage, [published]);
    const made = await announcedDispatch(world, published.id);
    const notBefore = Math.floor(await world.storeNow()) - hour;
    const first = await write([made], notBefore);
    strictEqual(first.length, 1);
    const before = await stored(storage, ours);
    deepStrictEqual(await write([made], notBefore), first);
    deepStrictEqual(await stored(storage, ours), before);
    // Dispatched earlier, or with another timestamp: by another call.
    deepStrictEqual(await write([made], Math.ceil(await world.storeNow()) + hour), []);
    deepStrictEqual(await write([{ ...made, timestamp: made.timestamp + 1 }], notBefore), []);
    deepStrictEqual(await stored(storage, ours), before);
  }),
  'announced events are dispatched at `notBefore` if that is later': announcing(async (world, write) => {
    const published = event();
    await publish(world.storage, [published]);
    const notBefore = Math.floor(await world.storeNow()) + hour;
    await write([await announcedDispatch(world, published.id)], notBefore);
    const period = { from: notBefore, to: notBefore + 1 };
    strictEqual((await deliveriesOf(world.storage, ours, period)).length, 1);
  }),
  'an announced event that is not the first of its account in the outbox stays': announcing(async (world, write) => {
    const published = events(2);
    await publish(world.storage, published);
    const [first, second] = await Promise.all(published.map(({ id }) => announcedDispatch(world, id)));
    ok(first && second);
    deepStrictEqual(await write([second]), []);
    strictEqual((await readOutbox(world.storage)).length, 2);
    strictEqual((await write([first])).length, 1);
    strictEqual((await write([second])).length, 1);
  }),
  'an announced event that is not committed stays': announcing(async (world, write) => {
    await publish(world.storage, events(1));
    const [read] = await readOutbox(world.storage);
    ok(read);
    const made = await announcedDispatch(world, read.id);
    const uncommitted = event();
    deepStrictEqual(await write([{ ...made, event: { ...made.event, id: uncommitted.id } }]), []);
  }),
  'an announced event stays when its object has its timestamp or a later one': announcing(async (world, write) => {
    const { storage } = world;
    const about = () => event({ objectId: 'object' });
    await publish(storage, [about()]);
    const [{ timestamp } = { timestamp: 0 }] = await dispatchAll(storage, () => ({ timestamp: 1_735_689_700 }));
    const next = about();
    await publish(storage, [next]);
    for (const early of [timestamp - 1, timestamp])
      deepStrictEqual(await write([await announcedDispatch(world, next.id, { timestamp: early })]), []);
    const after = await announcedDispatch(world, next.id, { timestamp: timestamp + 1 });
    strictEqual((await write([after])).length, 1);
  }),
  'an announced event stays when a pruned event of its shard has a later timestamp': announcing(
    async (world, write) => {
      const { storage } = world;
      const [pruned] = await world.complete(1);
      const made = (await findEvent(storage, ours, pruned.eventId)) as { readonly timestamp: number };
      await dropEvents(world);
      const published = event();
      await publish(storage, [published]);
      const early = await announcedDispatch(world, published.id, { timestamp: made.timestamp });
      deepStrictEqual(await write([early]), []);
      strictEqual((await write([{ ...early, timestamp: made.timestamp + 1 }])).length, 1);
    },
  ),
  'a change of endpoints of another shard keeps no announced event': announcing(async (world, write) => {
    const published = event();
    await publish(world.storage, [published]);
    const made = await announcedDispatch(world, published.id);
    await world.storage.endpoints.insertEndpoint(endpoint({ accountId: child }), 20);
    strictEqual((await write([made])).length, 1);
  }),
  'an announced event stays when endpoints of its shard have changed': refused(async (world) => {
    await world.change({ label: 'changed' });
    return undefined;
  }),
  'an announced event stays when the worker does not own its shard': refused(async ({ storage }) => {
    await storage.shards.release(worker, [shardOf(ours)]);
    return undefined;
  }),
  'an announced event stays while an endpoint receives events of child accounts': refused(async (world) => {
    await world.storage.endpoints.insertEndpoint(endpoint({ accountId: child, includeChildren: true }), 20);
    return undefined;
  }),
  'an announced event stays when it is not as announced': announcing(async (world, write) => {
    const published = event({ occurredAt: 1_735_689_600_123 });
    await publish(world.storage, [published]);
    const made = await announcedDispatch(world, published.id);
    const { occurredAt: _, ...withoutTime } = made.event;
    const forged: readonly AnnouncedEvent[] = [
      { ...made.event, type: 'accepted' },
      { ...made.event, objectName: 'RequestPayment2' },
      { ...made.event, objectId: 'another' },
      { ...made.event, storedAt: made.event.storedAt + 1_000 },
      { ...made.event, occurredAt: 1_735_689_600_124 },
      withoutTime,
    ];
    for (const each of forged) deepStrictEqual(await write([{ ...made, event: each }]), []);
    strictEqual((await write([made])).length, 1);
  }),
  'an announced event stays when it is for one endpoint alone': refused(async () => undefined, {
    onlyTo: '01934c04-c000-7000-8000-000000000001',
  }),
  'an announced event stays when it is a copy of a child’s': refused(async () => undefined, { origin: child }),
  'only the deliveries of an announced dispatch are taken over': announcing(async (world, write) => {
    const { storage, endpoint: own } = world;
    const [settled] = await world.complete(1);
    const published = event();
    await publish(storage, [published]);
    await write([await announcedDispatch(world, published.id)]);
    await storage.deliveries.recover(worker, [{ shard: settled.shard, watermark: 0, wasAbandoned: false }]);
    deepStrictEqual(
      (await world.queued()).map(({ eventId }) => eventId),
      [keyOf(published, own.id).eventId],
    );
  }),
};
