import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { hour } from '@partnerkit/core';
import {
  type DeliveryKey,
  type Endpoint,
  type LoggedAttempt,
  type ReplaySelection,
  type Storage,
  shardOf,
} from '@partnerkit/core/adapter';
import { listen } from '../shards/waking.ts';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { answered, dispatchAll, dropEvents, events, eventsOf, logged, pending, publish } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { child, endpoint, event, newId, ours, theirs } from '../support/records.ts';
import { deliveriesOf, findEvent } from '../support/stored.ts';
import { beside } from '../support/world.ts';

const always: ReplaySelection = { from: 0, to: 2 ** 48 - 1 };

/** Replays a period to its end. Resolves to the number of deliveries in each batch. */
const replayAll = async (
  { log }: Storage<object>,
  endpointId: string,
  range: ReplaySelection = always,
): Promise<readonly number[]> => {
  const made: number[] = [];
  for (let next = range; ; ) {
    const replayed = await log.replay(ours, endpointId, next);
    ok(replayed.kind === 'replayed');
    made.push(replayed.deliveries);
    if (replayed.next === undefined) return made;
    ok(replayed.next !== next.after, 'a batch leads to itself');
    next = { ...range, after: replayed.next };
  }
};
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

/** Replays a period: a dry run before it counts the same, and changes nothing. */
const replayCounted = async (
  storage: Storage<object>,
  endpointId: string,
  range: ReplaySelection,
): Promise<readonly number[]> => {
  const counted = await replayAll(storage, endpointId, { ...range, isDryRun: true });
  const made = await replayAll(storage, endpointId, range);
  deepStrictEqual(counted, made);
  return made;
};

const failed: ReplaySelection = { ...always, onlyFailed: true };

/** The last row in the log of a delivery. */
const ended = (key: DeliveryKey, state: 'delivered' | 'exhausted' | 'expired', number = 1): LoggedAttempt =>
  logged(
    key,
    number,
    state === 'expired'
      ? { kind: 'failed', reason: 'out_of_reach', durationMs: 0 }
      : answered(state === 'delivered' ? 200 : 500),
    state,
  );

/** Deliveries of a replay. */
export const replayingCases: Cases<StorageFixture> = {
  'a replay queues the events that the endpoint receives now, sent before or not, behind all others': beside(
    async (world) => {
      const { storage } = world;
      const keys = await world.complete(2);
      const [copy, hidden] = [event({ origin: child }), event({ type: 'cancel' })];
      const late = endpoint({ includeChildren: true });
      await publish(storage, [copy, hidden, event({ onlyTo: late.id })]);
      await dispatchAll(storage);
      await storage.endpoints.insertEndpoint(late, 20);
      await publish(storage, [event()]);
      deepStrictEqual(await replayCounted(storage, world.endpoint.id, always), [2]);
      deepStrictEqual(await replayCounted(storage, late.id, always), [3]);
      const [waits] = await world.deliver(1);
      await world.settle({ pending: [pending(waits, { dueIn: 365 * 24 * hour })] });
      const [first, ...replays] = await world.queued();
      strictEqual(first?.eventId, waits.eventId);
      const found = await Promise.all(keys.map(({ eventId }) => findEvent(storage, ours, eventId)));
      const expected = keys.map((key, index) => ({ ...key, replay: 1, event: found[index] }));
      deepStrictEqual(
        replays.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1)),
        expected.map((each) => ({ ...each, attempts: 0, logged: 0, wasAbandoned: false, isUrgent: false })),
      );
      deepStrictEqual(eventsOf(await world.queued({ endpointId: late.id })).toSorted(), [...eventsOf(keys), copy.id]);
    },
  ),
  'a replay queues the events that the endpoint selects: a type of every object, a pair of one': beside(
    async ({ storage }) => {
      const happened = [
        event({ type: 'creation' }),
        event({ type: 'cancel' }),
        event({ type: 'creation', objectName: 'RequestSecurityDeposit' }),
        event({ type: 'cancel', objectName: 'RequestSecurityDeposit' }),
        event({ type: 'creation', objectName: 'ModelRequestSecurityDeposit' }),
      ];
      await publish(storage, happened);
      await dispatchAll(storage);
      const replayed = async (...selected: Endpoint['events']): Promise<readonly number[]> => {
        const late = endpoint({ events: selected });
        await storage.endpoints.insertEndpoint(late, 20);
        await replayAll(storage, late.id);
        const found = await deliveriesOf(storage, ours, { endpointId: late.id });
        return found.map(({ eventId }) => happened.findIndex(({ id }) => id === eventId)).toSorted();
      };
      deepStrictEqual(await replayed('creation'), [0, 2, 4]);
      deepStrictEqual(await replayed('RequestSecurityDeposit.creation'), [2]);
      deepStrictEqual(await replayed('RequestSecurityDeposit.creation', 'cancel'), [1, 2, 3]);
      deepStrictEqual(await replayed('RequestPayment.update', 'ModelRequestPayment.creation'), []);
    },
  ),
  'a replay counts as a change of its endpoint, and wakes workers': beside(async (world) => {
    const { storage, settle, endpoint: own } = world;
    await world.complete(1);
    const { endpointVersion } = await settle({});
    const { stop, events: received } = await listen(storage);
    await replayAll(storage, own.id);
    await received(ours);
    stop();
    const { changedShards } = await storage.deliveries.readEndpoints([], endpointVersion);
    deepStrictEqual(changedShards, [shardOf(ours)]);
  }),
  'a replay includes its start and excludes its end': beside(async (world) => {
    const ids = eventsOf(await world.complete(6));
    const [from, to] = [timeOf(ids[2] ?? ''), timeOf(ids[4] ?? '')];
    deepStrictEqual(await replayAll(world.storage, world.endpoint.id, { from: to, to: from }), [0]);
    deepStrictEqual(await replayAll(world.storage, world.endpoint.id, { from, to }), [2]);
    deepStrictEqual(eventsOf(await world.queued()).toSorted(), ids.slice(2, 4));
  }),
  'an event with an unfinished delivery is skipped, so simultaneous replays create each delivery once': beside(
    async (world) => {
      const { storage, endpoint: own } = world;
      await world.complete(10);
      // The other one is in the memory of its worker.
      const [, waits] = await world.deliver(2);
      await world.settle({ pending: [pending(waits)] });
      const raced = await race(() => replayAll(storage, own.id));
      strictEqual(sum(raced.flat()), 10);
      const first = (await world.queued()).find(({ replay }) => replay === 1);
      ok(first);
      await world.settle({ finished: [first], attempts: [logged(first, 1, answered(200), 'delivered')] });
      deepStrictEqual(await replayAll(storage, own.id), [1]);
      strictEqual((await deliveriesOf(storage, ours, { eventId: first.eventId })).length, 3);
    },
  ),
  'a long replay comes in batches, oldest first, each event once': beside(async (world) => {
    const { storage } = world;
    await publish(storage, events(1_100));
    await dispatchAll(storage);
    const batches = await replayAll(storage, world.endpoint.id);
    ok(batches.length > 1 && sum(batches) === 1_100);
    const order = (await deliveriesOf(storage, ours)).map(({ eventId }) => eventId);
    deepStrictEqual(order, [...new Set(order)]);
  }),
  'an event that is delivered between two batches of a replay is not replayed twice': beside(async (world) => {
    const { log } = world.storage;
    const keys = await world.complete(600);
    const first = await log.replay(ours, world.endpoint.id, always);
    ok(first.kind === 'replayed' && first.next !== undefined, 'there are two batches');
    const finished = await world.queued({ limit: 1_000 });
    await world.settle({ attempts: finished.map((key) => logged(key, 1, answered(200), 'delivered')), finished });
    const rest = await replayAll(world.storage, world.endpoint.id, { ...always, after: first.next });
    strictEqual(first.deliveries + sum(rest), keys.length);
  }),
  'a replay of failed events sends what was exhausted or expired and never delivered, behind all others': beside(
    async (world) => {
      const { storage, endpoint: own } = world;
      const keys = await world.deliver(8);
      const [delivered, exhausted, expired, retried, held, repeated, missed] = keys;
      ok(delivered && exhausted && expired && retried && held && repeated && missed);
      const other = endpoint();
      await storage.endpoints.insertEndpoint(other, 20);
      // The eighth is in the memory of its worker.
      await world.settle({
        attempts: [
          ended(delivered, 'delivered'),
          ended(exhausted, 'exhausted'),
          ended(expired, 'expired'),
          logged(retried, 1, answered(500)),
          ended(repeated, 'exhausted'),
          ended(missed, 'delivered'),
          ended({ ...delivered, endpointId: other.id }, 'exhausted'),
        ],
        pending: [pending(retried, { state: 'scheduled', dueIn: hour, attempts: 1, logged: 1 }), pending(held)],
      });
      // One was sent again, and delivered; another was delivered, sent again and exhausted.
      for (const [key, state] of [
        [repeated, 'delivered'],
        [missed, 'exhausted'],
      ] as const) {
        await storage.log.sendAgain(key);
        const [due] = await world.due();
        ok(due);
        await world.settle({ attempts: [ended({ ...key, replay: 1 }, state)], finished: [due] });
      }
      deepStrictEqual(await replayCounted(storage, own.id, failed), [2]);
      const queued = await world.queued();
      deepStrictEqual(
        queued.map(({ eventId, replay, attempts, isUrgent }) => [eventId, replay, attempts, isUrgent]),
        [
          [held.eventId, 0, 0, false],
          [exhausted.eventId, 1, 0, false],
          [expired.eventId, 1, 0, false],
        ],
      );
      // They are not finished, and failed before.
      deepStrictEqual(await replayCounted(storage, own.id, failed), [0]);
      const [, first, second] = queued;
      ok(first && second);
      await world.settle({
        attempts: [ended(first, 'delivered'), ended(second, 'exhausted')],
        finished: [first, second],
      });
      deepStrictEqual(await replayCounted(storage, own.id, failed), [1]);
      deepStrictEqual(await replayCounted(storage, other.id, failed), [1]);
    },
  ),
  'a replay of failed events sends those of the period that the endpoint selects now': beside(async (world) => {
    const { storage, endpoint: own } = world;
    const keys = [...(await world.deliver(4)), ...(await world.deliver(1, { type: 'cancel' }))];
    keys.push(...(await world.deliver(1, { onlyTo: own.id })), ...(await world.deliver(1, { origin: child })));
    await world.settle({ attempts: keys.map((key) => ended(key, 'exhausted')) });
    const ids = eventsOf(keys);
    const [from, to] = [timeOf(ids[1] ?? ''), timeOf(ids[3] ?? '')];
    deepStrictEqual(await replayCounted(storage, own.id, { from: to, to: from, onlyFailed: true }), [0]);
    deepStrictEqual(await replayCounted(storage, own.id, { from, to, onlyFailed: true }), [2]);
    deepStrictEqual(eventsOf(await world.queued()).toSorted(), ids.slice(1, 3));
    deepStrictEqual(await replayCounted(storage, own.id, failed), [2]);
    const foreign = (await storage.endpoints.listEndpoints(theirs, {})).items[0]?.id ?? '';
    for (const [accountId, id] of [
      [ours, foreign],
      [theirs, own.id],
    ] as const)
      deepStrictEqual(await storage.log.replay(accountId, id, failed), { kind: 'not_found' });
    await world.change({ state: 'disabled' });
    deepStrictEqual(await storage.log.replay(ours, own.id, failed), { kind: 'endpoint_disabled' });
  }),
  'simultaneous replays of failed events create each delivery once, in batches': beside(async (world) => {
    const { storage, endpoint: own } = world;
    const keys = await world.deliver(600);
    const states = (index: number) => (index % 10 === 0 ? 'delivered' : index % 2 === 0 ? 'exhausted' : 'expired');
    await world.settle({ attempts: keys.map((key, index) => ended(key, states(index))) });
    const raced = await race(() => replayAll(storage, own.id, failed), 4);
    ok(raced.every((batches) => batches.length > 1));
    strictEqual(sum(raced.flat()), 540);
    const waiting = await deliveriesOf(storage, ours, { state: 'waiting' });
    strictEqual(new Set(eventsOf(waiting)).size, 540);
    strictEqual(waiting.length, 540);
  }),
  'a failed event that was pruned is not replayed': beside(async (world) => {
    const [key] = await world.deliver(1);
    await world.settle({ attempts: [ended(key, 'exhausted')] });
    await dropEvents(world);
    deepStrictEqual(await replayAll(world.storage, world.endpoint.id, failed), [0]);
    deepStrictEqual(await world.queued(), []);
  }),
  'nothing is replayed to a disabled, deleted or foreign endpoint': beside(async (world) => {
    const { log, endpoints } = world.storage;
    await world.complete(1);
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
