import { deepStrictEqual, ok } from 'node:assert';
import { type Attempt, day, type Explanation, explainFacts, hour, minute } from '@partnerkit/core';
import type { Cases } from './contract.ts';
import { explainHistory } from './explained-histories.ts';
import { endpoint, event, newId, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { assertBetween } from './store-time.ts';
import { answered, beside, deliveriesOf, dispatchAll, leaseTime, publish, type World } from './world.ts';

const explain = async ({ storage }: World, eventId: string, endpointId: string, accountId = ours) =>
  explainFacts(await storage.log.findFacts(accountId, eventId, endpointId), endpointId).match<
    Explanation | { readonly kind: 'refused'; readonly code: string }
  >(
    (explanation) => explanation,
    ({ code }) => ({ kind: 'refused', code }),
  );

const seeds = [1, 2, 3, 4, 5, 6];

/** Facts that explain what became of an event for an endpoint. @internal */
export const explainingCases: Cases<StorageFixture> = {
  ...Object.fromEntries(
    seeds.map((seed) => [
      `whatever happens to endpoints and deliveries, each event is explained: history ${seed}`,
      (fixture: StorageFixture) => explainHistory(fixture, seed),
    ]),
  ),
  'what belongs to another account is explained like what is not there': beside(async (world) => {
    const [published] = await world.deliver(1);
    const { items } = await world.storage.events.listEvents(theirs, {});
    const { items: hooks } = await world.storage.endpoints.listEndpoints(theirs, {});
    const [foreignEvent, foreignEndpoint] = [items[0]?.id ?? '', hooks[0]?.id ?? ''];
    const own = published?.id ?? '';
    const noEvent = { kind: 'refused', code: 'no_such_event' };
    for (const id of [foreignEvent, newId()]) {
      deepStrictEqual(await explain(world, id, world.endpoint.id), noEvent);
      deepStrictEqual(await explain(world, id, foreignEndpoint), noEvent);
    }
    for (const id of [foreignEndpoint, newId()])
      deepStrictEqual(await explain(world, own, id), { kind: 'refused', code: 'no_such_endpoint' });
    deepStrictEqual(await explain(world, own, world.endpoint.id, theirs), noEvent);
  }),
  'each explanation says when, by the clock of the store': beside(async (world) => {
    const before = Math.floor(await world.storeNow());
    const [published] = await world.deliver(1);
    const id = published?.id ?? '';
    const told = () => explain(world, id, world.endpoint.id);
    const between = async (at: number) => {
      ok(Number.isSafeInteger(at), 'a time is whole milliseconds');
      assertBetween(at, before, Math.ceil(await world.storeNow()));
    };
    const waiting = await told();
    ok(waiting.kind === 'waiting');
    await between(waiting.dueAt);
    const claimed = await world.claimOne();
    const attempted = await told();
    ok(attempted.kind === 'being_attempted' && attempted.deliveryId === claimed.deliveryId);
    assertBetween(attempted.until, before + leaseTime, (await world.storeNow()) + leaseTime);
    await world.settle([claimed], { retryIn: hour });
    const retried = await told();
    ok(retried.kind === 'waiting' && retried.attempts === 1);
    deepStrictEqual(retried.last, answered(500));
    assertBetween(retried.dueAt, before + hour, (await world.storeNow()) + hour);
    await world.change({ state: 'disabled' });
    const held = await told();
    ok(held.kind === 'held' && held.by === 'partner');
    await between(held.since);
    const [later] = await world.deliver(1);
    const disabled = await explain(world, later?.id ?? '', world.endpoint.id);
    ok(disabled.kind === 'disabled_then');
    await between(disabled.since);
    await world.change({ state: 'enabled' });
    await world.elapse(2 * hour);
    await world.settle([await world.claimOne()], 'delivered', answered(204));
    const delivered = await told();
    ok(delivered.kind === 'delivered' && delivered.attempts === 2);
    const { at } = (await world.attempts(delivered)).at(-1) as Attempt;
    ok(Number.isSafeInteger(at), 'the time of an attempt is whole milliseconds');
    assertBetween(delivered.at, at - 1, at + 1);
    const created = endpoint();
    await world.storage.endpoints.insertEndpoint(created, 20);
    const createdLater = await explain(world, id, created.id);
    ok(createdLater.kind === 'created_later');
    assertBetween(createdLater.at, at - 1, await world.storeNow());
  }),
  'a test event reaches the one endpoint that it is for, whatever that takes, and no other': beside(async (world) => {
    const { storage } = world;
    const deaf = endpoint({ events: ['cancel'] });
    await storage.endpoints.insertEndpoint(deaf, 20);
    const test = event({ onlyTo: deaf.id });
    const batch = [event({ onlyTo: world.endpoint.id, type: 'cancel' }), event()];
    await publish(storage, [test]);
    await publish(storage, batch);
    deepStrictEqual(await storage.events.findEvent(ours, test.id), test);
    await dispatchAll(storage);
    const [other, plain] = batch.map(({ id }) => id);
    deepStrictEqual(
      (await deliveriesOf(storage, ours)).map(({ eventId, endpointId }) => [eventId, endpointId]).toSorted(),
      [
        [test.id, deaf.id],
        [other, world.endpoint.id],
        [plain, world.endpoint.id],
      ].toSorted(),
    );
    const [found, explained] = [await storage.events.findEvent(ours, test.id), await explain(world, test.id, deaf.id)];
    ok(found && 'timestamp' in found && found.onlyTo === deaf.id);
    deepStrictEqual(explained.kind, 'waiting');
    deepStrictEqual(await explain(world, test.id, world.endpoint.id), { kind: 'for_another', endpointId: deaf.id });
    const claims = await world.claim();
    deepStrictEqual(
      claims.map(({ event, endpoint: { id } }) => [event.id, event.rest, id]).toSorted(),
      [[test.id, test.rest, deaf.id], ...batch.map(({ id, rest }) => [id, rest, world.endpoint.id])].toSorted(),
    );
  }),
  'what waits for a paused endpoint is paused, and says until when': beside(async (world) => {
    const [first] = await world.deliver(2);
    const claims = await world.claim({ limit: 1 });
    const now = await world.storeNow();
    await world.storage.queue.settle(
      claims.map((claim) => ({ ...claim, outcome: answered(503), next: { retryIn: minute }, pauseFor: hour })),
    );
    const told = await explain(world, first?.id ?? '', world.endpoint.id);
    ok(told.kind === 'paused' && told.attempts === 1);
    assertBetween(told.until, now + hour, (await world.storeNow()) + hour);
    await world.elapse(2 * hour);
    deepStrictEqual((await explain(world, first?.id ?? '', world.endpoint.id)).kind, 'waiting');
  }),
  'what was held for too long says so, and what expired with its endpoint too': beside(async (world) => {
    const [long] = await world.deliver(1);
    await world.change({ state: 'disabled' });
    await world.elapse(15 * day);
    await world.storage.queue.prune({ held: 14 * day, events: 60 * day, attempts: 60 * day, most: 100 });
    await world.change({ state: 'enabled' });
    const [short] = await world.deliver(1);
    await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id);
    const [heldTooLong, deleted] = [
      await explain(world, long?.id ?? '', world.endpoint.id),
      await explain(world, short?.id ?? '', world.endpoint.id),
    ];
    ok(heldTooLong.kind === 'expired' && heldTooLong.why === 'held_too_long');
    ok(deleted.kind === 'expired' && deleted.why === 'endpoint_deleted');
  }),
  'what the history of an endpoint no longer holds is forgotten, not guessed': beside(async (world) => {
    const kept = { held: 90 * day, events: 30 * day, attempts: 90 * day, most: 100 };
    // Its delivery waits, so the event stays longer than what was known of endpoints then.
    const [old] = await world.deliver(1);
    await world.claim({ limit: 1, lease: 90 * day });
    await world.storage.endpoints.insertEndpoint(endpoint({ id: newId(), events: ['cancel'] }), 20);
    const { items } = await world.storage.endpoints.listEndpoints(ours, {});
    const other = items.at(-1);
    ok(other);
    await world.storage.endpoints.replaceEndpoint({ ...other, events: ['payed'] });
    await world.elapse(31 * day);
    await world.storage.queue.prune(kept);
    deepStrictEqual((await explain(world, old?.id ?? '', other.id)).kind, 'forgotten');
    deepStrictEqual((await explain(world, old?.id ?? '', world.endpoint.id)).kind, 'being_attempted');
  }),
  'an event that was dropped is no longer there': beside(async (world) => {
    const [published] = await world.deliver(1);
    await world.settle([await world.claimOne()], 'delivered', answered(200));
    await publish(world.storage, [event()]);
    await dispatchAll(world.storage);
    await world.elapse(31 * day);
    await world.storage.queue.prune({ held: 14 * day, events: 30 * day, attempts: 90 * day, most: 100 });
    deepStrictEqual(await explain(world, published?.id ?? '', world.endpoint.id), {
      kind: 'refused',
      code: 'no_such_event',
    });
  }),
};
