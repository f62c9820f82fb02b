import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type Attempt, hour, minute, second } from '@partnerkit/core';
import { type DeliveryFact, type DeliveryKey, type Endpoint, shardOf } from '@partnerkit/core/adapter';
import { createPrng, type Prng } from '../../simulator/prng.ts';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { allShards, answered, dispatchAll, dropEvents, logged, pending, publish, takeShards } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { child, endpoint, event, newId, ours, theirs } from '../support/records.ts';
import { assertBetween, slack } from '../support/store-time.ts';
import { deliveriesOf } from '../support/stored.ts';
import { beside, type World } from '../support/world.ts';

const read = ({ storage: { log } }: World, eventId: string, endpointId: string, accountId = ours) =>
  log.readExplainSnapshot(accountId, eventId, endpointId);

/** The event part of a snapshot. */
const happenedTo = { objectName: 'RequestPayment', type: 'payed' } as const;

/** A change of an endpoint: other selected events, or another state. */
const change = (stored: Endpoint, prng: Prng): Endpoint => {
  const of = <T>(items: readonly T[]): T => items[prng.below(items.length)] as T;
  const events = of([['payed'], ['RequestPayment.cancel'], ['payed', 'RequestPayment.cancel']] as const);
  const state = of(['enabled', 'disabled', 'disabled_by_breaker'] as const);
  return { ...stored, ...of([{ events }, { state }, { includeChildren: prng.chance(0.5) }, { label: 'changed' }]) };
};

/** A random history of an endpoint. The snapshot of each event shows the endpoint as it was at the dispatch. */
const history = async (world: World, seed: number): Promise<void> => {
  const { storage } = world;
  const prng = createPrng(seed);
  let stored = world.endpoint;
  const expectedOf = new Map<string, unknown>();
  for (let step = 0; step < 30; step++) {
    await world.elapse(second);
    const changed = change(stored, prng);
    ok(await storage.endpoints.replaceEndpoint(changed));
    stored = { ...changed, version: stored.version + 1 };
    await world.elapse(second);
    const published = event();
    await publish(storage, [published]);
    deepStrictEqual((await read(world, published.id, stored.id)).event, happenedTo);
    await dispatchAll(storage);
    const { state, events, includeChildren } = stored;
    expectedOf.set(published.id, { kind: 'there', state, events, includeChildren });
  }
  for (const [id, expected] of expectedOf) {
    const then = (await read(world, id, stored.id)).event?.endpointSnapshot;
    ok(then?.kind === 'there');
    const { since: _since, ...found } = then;
    deepStrictEqual(found, expected);
  }
};

/** Explanations of an event for an endpoint. */
export const explainingCases: Cases<StorageFixture> = {
  ...Object.fromEntries(
    [1, 2, 3].map((seed) => [
      `a snapshot shows the endpoint as it was at the dispatch of the event: history ${seed}`,
      beside((world) => history(world, seed)),
    ]),
  ),
  'a snapshot states since when, by the clock of the store': beside(async (world) => {
    const { storage, elapse, storeNow } = world;
    const stoodAt = async ({ eventId }: DeliveryKey, endpointId: string) => {
      const found = (await read(world, eventId, endpointId)).event?.endpointSnapshot;
      ok(found);
      return found;
    };
    const [late, start] = [endpoint(), await storeNow()];
    const [early] = await world.deliver(1);
    await elapse(minute);
    await storage.endpoints.insertEndpoint(late, 20);
    const before = await stoodAt(early, late.id);
    ok(before.kind === 'created_later');
    assertBetween(before.at, start + minute, await storeNow());
    await elapse(minute);
    await world.change({ state: 'disabled' });
    await storage.endpoints.deleteEndpoint(ours, late.id);
    await elapse(minute);
    const [last] = await world.deliver(1);
    const stood = await stoodAt(last, world.endpoint.id);
    ok(stood.kind === 'there');
    assertBetween(stood.since, start + 2 * minute, (await storeNow()) - minute);
    const gone = await stoodAt(last, late.id);
    ok(gone.kind === 'deleted_before');
    assertBetween(gone.at, start + 2 * minute, (await storeNow()) - minute);
  }),
  'a snapshot shows the deliveries of the event to the endpoint': beside(async (world) => {
    const { storage, settle } = world;
    const [fresh, retried, done] = await world.deliver(3);
    const again = { ...done, replay: 1 };
    await settle({
      attempts: [logged(retried, 1, answered(500)), logged(done, 1, answered(200), 'delivered')],
      pending: [pending(retried, { state: 'scheduled', dueIn: hour, attempts: 1, logged: 1 }), pending(again)],
    });
    const now = await world.storeNow();
    const facts = async (eventId: string): Promise<readonly DeliveryFact[]> =>
      (await read(world, eventId, world.endpoint.id)).deliveries;
    const [waits] = await facts(fresh.eventId);
    ok(waits?.state === 'waiting' && waits.attempts === 0 && !('last' in waits) && waits.dueAt <= now);
    const [due] = await facts(retried.eventId);
    ok(due?.state === 'waiting' && due.attempts === 1);
    assertBetween(due.dueAt, now + hour - slack, now + hour);
    deepStrictEqual(due.last, answered(500));
    const [first, second_] = await facts(done.eventId);
    ok(first?.state === 'delivered' && second_?.state === 'waiting');
    const [{ at = 0 } = {}]: readonly Partial<Attempt>[] = await storage.log.listAttempts(done);
    deepStrictEqual([first.since, first.attempts, second_.attempts], [at, 1, 0]);
    deepStrictEqual(
      [...(await facts(done.eventId))].map(({ id }) => id),
      (await deliveriesOf(storage, ours, { eventId: done.eventId })).map(({ id }) => id),
    );
    await world.change({ state: 'disabled' });
    const [held] = await facts(retried.eventId);
    ok(held?.state === 'held' && held.attempts === 1);
    assertBetween(held.since, now, await world.storeNow());
    await storage.endpoints.deleteEndpoint(ours, world.endpoint.id);
    const [expired] = await facts(retried.eventId);
    ok(expired?.state === 'expired');
    strictEqual(expired.reason, 'endpoint_deleted');
  }),
  'a snapshot shows whether the endpoint is paused or disabled, and by whom': beside(async (world) => {
    const [key] = await world.deliver(1);
    const endpointOf = async () => (await read(world, key.eventId, world.endpoint.id)).endpoint;
    deepStrictEqual(await endpointOf(), {});
    const health = {
      failures: 5,
      failingFor: hour,
      isExhausted: false,
      openCount: 1,
      openFor: minute,
      retryAfterFor: hour,
    };
    await world.settle({ health: [{ accountId: ours, endpointId: world.endpoint.id, version: 1, health }] });
    const { pausedUntil = 0, ...rest } = (await endpointOf()) ?? {};
    assertBetween(pausedUntil, (await world.storeNow()) + hour - slack, (await world.storeNow()) + hour);
    deepStrictEqual(rest, {});
    await world.elapse(hour);
    deepStrictEqual(await endpointOf(), {});
    await world.change({ state: 'disabled' });
    deepStrictEqual(await endpointOf(), { disabledBy: 'partner' });
    await world.change({ state: 'enabled' });
    await world.change({ state: 'disabled', disabledBy: 'host' });
    deepStrictEqual(await endpointOf(), { disabledBy: 'host' });
    await world.change({ state: 'enabled' });
    const transition = { shard: shardOf(ours), accountId: ours, endpointId: world.endpoint.id };
    await world.settle({ transitions: [{ ...transition, disable: { version: 5, reason: 'failing' } }] });
    deepStrictEqual(await endpointOf(), { disabledBy: 'failing' });
  }),
  'a snapshot shows the endpoint of a test event, and the account of a copy': async (fixture) => {
    const { storage } = fixture;
    await takeShards(storage);
    const [test, happened, id] = [event({ onlyTo: newId() }), event({ accountId: child }), newId()];
    await publish(storage, [test, happened]);
    const explained = async (accountId: string, { id: eventId }: { readonly id: string }) => {
      const { now: _now, ...rest } = await storage.log.readExplainSnapshot(accountId, eventId, id);
      return rest;
    };
    deepStrictEqual(await explained(ours, test), { event: { ...happenedTo, onlyTo: test.onlyTo }, deliveries: [] });
    deepStrictEqual(await explained(ours, happened), { deliveries: [] });
    await dispatchAll(storage, () => ({ propagates: true }));
    deepStrictEqual(await explained(ours, happened), { propagating: child, deliveries: [] });
    const waiting = await storage.parents.readPropagated(
      allShards.map((shard) => ({ shard })),
      10,
    );
    await storage.parents.propagate(
      'worker-1',
      waiting.map((each) => ({ ...each, parentId: ours })),
    );
    deepStrictEqual(await explained(ours, happened), { event: { ...happenedTo, origin: child }, deliveries: [] });
    deepStrictEqual(await explained(theirs, happened), { deliveries: [] });
  },
  'a record of another account is reported like an unknown one': beside(async (world) => {
    const [key] = await world.deliver(1);
    const [other] = await deliveriesOf(world.storage, theirs);
    ok(other);
    const none = { deliveries: [] };
    for (const [eventId, endpointId, accountId] of [
      [other.eventId, other.endpointId, ours],
      [newId(), newId(), ours],
      [key.eventId, key.endpointId, theirs],
    ] as const) {
      const { now: _now, ...rest } = await read(world, eventId, endpointId, accountId);
      deepStrictEqual(rest, none);
    }
    const { event: own, endpoint: foreign, deliveries } = await read(world, key.eventId, other.endpointId);
    deepStrictEqual([own?.type, foreign, deliveries], ['payed', undefined, []]);
  }),
  'pruned history of an endpoint is reported as unknown, not guessed': beside(async (world) => {
    const [key] = await world.enqueue(1);
    await world.change({ events: ['cancel'] });
    await dropEvents(world);
    const { event: found, deliveries } = await read(world, key.eventId, world.endpoint.id);
    deepStrictEqual([found?.endpointSnapshot, deliveries.length], [{ kind: 'forgotten' }, 1]);
  }),
};
