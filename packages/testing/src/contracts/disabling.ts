import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { disablesAfter, type Endpoint, type EndpointState, failuresToOpen, hour, minute } from '@partnerkit/core';
import { type Cases, whateverTheClocks } from './contract.ts';
import { race } from './racers.ts';
import { endpoint, ours } from './records.ts';
import { muchLater } from './sick-world.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { slack } from './store-time.ts';
import { answered, beside, deliveriesOf, events, publish, type World, want } from './world.ts';

const { failing, failures } = disablesAfter;

const stored = async ({ storage, endpoint: { id } }: World): Promise<Endpoint | undefined> =>
  storage.endpoints.findEndpoint(ours, id);
const stateOf = async (world: World): Promise<EndpointState | undefined> => (await stored(world))?.state;

/** Settles one attempt after the other, an hour between: no pause is in the way. */
const failOnce = async (world: World, next: 'exhausted' | { readonly retryIn: number }) => {
  const [claimed] = await world.claim({ limit: 1 });
  ok(claimed, 'a delivery is due');
  const turns = await world.settle([claimed], next);
  await world.elapse(hour);
  return turns;
};

/**
 * Our endpoint, whose next failure may disable it: so many attempts failed, the first one so long ago, and one delivery was
 * exhausted, or none. As many deliveries as `waiting` are due, and those that failed wait.
 */
const dying = async (
  world: World,
  { waiting = 1, failed = failures - 1, since = failing, exhausted = true } = {},
): Promise<void> => {
  await world.deliver(failed + waiting);
  await failOnce(world, muchLater);
  const begun = (await world.storeNow()) - hour;
  for (let count = 1; count < failed; count++) {
    await failOnce(world, exhausted && count === 1 ? 'exhausted' : muchLater);
  }
  await world.elapse(since - ((await world.storeNow()) - begun));
};

const goneAtOnce = async (world: World, claims: readonly { deliveryId: string; lease: string }[]) =>
  world.storage.queue.settle(claims.map((claim) => ({ ...claim, outcome: answered(410), next: 'gone' as const })));

const disabledInTime = async (world: World): Promise<void> => {
  await dying(world, { since: failing - 2 * slack });
  deepStrictEqual(await failOnce(world, muchLater), []);
  strictEqual(await stateOf(world), 'enabled');
  await world.deliver(1);
  deepStrictEqual(
    (await failOnce(world, muchLater)).map(({ kind }) => kind),
    ['endpoint_disabled'],
  );
  strictEqual(await stateOf(world), 'disabled_by_breaker');
};

/** When an endpoint is given up, and how it comes back. @internal */
export const disablingCases: Cases<StorageFixture> = {
  'an endpoint that is gone is disabled at once, and what waits is held': beside(async (world) => {
    await world.deliver(4);
    const [first, leased] = await world.claim({ limit: 2 });
    ok(first && leased);
    const turns = await goneAtOnce(world, [first]);
    deepStrictEqual(turns, [
      {
        kind: 'endpoint_disabled',
        reason: 'gone',
        accountId: ours,
        endpointId: world.endpoint.id,
        failures: 1,
        failingFor: 0,
        outcome: 410,
        unfinished: 4,
      },
    ]);
    deepStrictEqual(await stored(world), { ...world.endpoint, state: 'disabled_by_breaker', version: 2 });
    const states = (await deliveriesOf(world.storage, ours)).map(({ state }) => state).toSorted();
    deepStrictEqual(states, ['held', 'held', 'held', 'waiting']);
    await world.settle([leased], muchLater);
    deepStrictEqual(await world.standing(leased), ['held', 1]);
    deepStrictEqual(await world.claim(), []);
  }),
  'the attempt that was told so is logged, and does not count': beside(async (world) => {
    await world.deliver(1);
    await world.settle([await world.claimOne()], { retryIn: minute });
    await world.elapse(minute);
    const claimed = await world.claimOne();
    await goneAtOnce(world, [claimed]);
    deepStrictEqual(await world.standing(claimed), ['held', 1]);
    deepStrictEqual(await world.ends(claimed), [500, 410]);
    await world.change({ state: 'enabled' });
    const again = await world.claimOne();
    deepStrictEqual([again.deliveryId, again.attempt], [claimed.deliveryId, 2]);
  }),
  'an endpoint that is gone and was disabled or deleted meanwhile stays so': beside(async (world) => {
    await world.deliver(2);
    const [first, second] = await world.claim();
    ok(first && second);
    await world.change({ state: 'disabled' });
    deepStrictEqual(await goneAtOnce(world, [first]), []);
    deepStrictEqual([await stateOf(world), (await world.standing(first))[0]], ['disabled', 'held']);
    strictEqual(await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id), true);
    deepStrictEqual(await goneAtOnce(world, [second]), []);
    deepStrictEqual([await stateOf(world), (await world.standing(second))[0]], [undefined, 'expired']);
  }),

  'an endpoint that failed for days, often, and exhausted a delivery is disabled': beside(async (world) => {
    await dying(world, { waiting: 3 });
    const [turn, ...more] = await failOnce(world, 'exhausted');
    strictEqual(more.length, 0);
    ok(turn, 'it is told');
    const { failingFor, ...told } = turn;
    deepStrictEqual(told, {
      kind: 'endpoint_disabled',
      reason: 'failing',
      accountId: ours,
      endpointId: world.endpoint.id,
      failures,
      outcome: 500,
      unfinished: failures,
    });
    ok(failingFor >= failing && failingFor < failing + slack, `it failed for ${failingFor} ms`);
    strictEqual(await stateOf(world), 'disabled_by_breaker');
    const states = new Map<string, number>();
    for (const { state } of await deliveriesOf(world.storage, ours)) states.set(state, (states.get(state) ?? 0) + 1);
    deepStrictEqual([...states].toSorted(), [
      ['exhausted', 2],
      ['held', failures],
    ]);
  }),
  'it is disabled as early as it should, and no earlier': beside(disabledInTime),
  ...whateverTheClocks('it is disabled as early as it should', beside(disabledInTime)),
  'one failure less, or nothing exhausted, disables nothing': beside(async (world) => {
    for (const short of [{ failed: failures - 2 }, { exhausted: false }]) {
      await dying(world, short);
      deepStrictEqual(await failOnce(world, muchLater), []);
      strictEqual(await stateOf(world), 'enabled');
      await world.deliver(1);
      await world.settle([await world.claimOne()], 'delivered', answered(200));
    }
  }),
  'what was exhausted before the last success disables nothing': beside(async (world) => {
    await world.deliver(2);
    const [exhausted, confirmed] = await world.claim();
    ok(exhausted && confirmed);
    // It is still to be left alone when it recovers, so something of it is remembered.
    await world.storage.queue.settle([
      { ...exhausted, outcome: answered(503), next: 'exhausted', pauseFor: hour },
      { ...confirmed, outcome: answered(200), next: 'delivered' },
    ]);
    await world.elapse(hour);
    await dying(world, { exhausted: false });
    deepStrictEqual(await failOnce(world, muchLater), []);
    strictEqual(await stateOf(world), 'enabled');
  }),
  'a quiet endpoint that fails once is not disabled': beside(async (world) => {
    await world.deliver(2);
    await failOnce(world, 'exhausted');
    await world.elapse(3 * failing);
    deepStrictEqual(await failOnce(world, 'exhausted'), []);
    strictEqual(await stateOf(world), 'enabled');
  }),
  'of many that settle at once one disables the endpoint': beside(async (world) => {
    // More than enough was asked for: so the breaker is closed, and many are in flight.
    await world.deliver(41);
    const claims = await world.claim({ limit: 20 });
    const { queue } = world.storage;
    const asked = (claim: (typeof claims)[number], next: 'exhausted' | typeof muchLater) =>
      queue.settle([{ ...claim, outcome: answered(503), next, pauseFor: hour }]);
    for (const [index, claim] of claims.entries()) await asked(claim, index === 0 ? 'exhausted' : muchLater);
    await world.elapse(failing);
    const inFlight = await world.claim({ limit: 20 });
    strictEqual(inFlight.length, 20);
    const turns = await race((index) => world.settle(inFlight.slice(index, index + 1), muchLater));
    deepStrictEqual(
      turns.flat().map(({ kind }) => kind),
      ['endpoint_disabled'],
    );
    strictEqual((await stored(world))?.version, 2);
    for (const { state } of await deliveriesOf(world.storage, ours)) ok(['held', 'exhausted'].includes(state), state);
  }),
  'of disabling, dispatching and claiming at once, what was not claimed is held': beside(async (world) => {
    await world.deliver(30);
    const [first] = await world.claim({ limit: 1 });
    ok(first);
    await publish(world.storage, events(10));
    const [, dispatched, claimed] = await Promise.all([
      goneAtOnce(world, [first]),
      world.storage.queue.dispatch(want({ limit: 5 })),
      world.claim({ limit: 5, worker: 'worker-2' }),
    ]);
    const out = new Set([...dispatched.claimed, ...claimed].map(({ deliveryId }) => deliveryId));
    const all = await deliveriesOf(world.storage, ours);
    strictEqual(all.length, 40);
    for (const { id, state } of all) strictEqual(state, out.has(id) ? 'waiting' : 'held');
    deepStrictEqual(await world.claim({ worker: 'worker-3' }), []);
  }),
  'a change that was begun before an endpoint was disabled comes too late': beside(async (world) => {
    await world.deliver(1);
    const before = await stored(world);
    ok(before);
    await goneAtOnce(world, [await world.claimOne()]);
    strictEqual(await world.storage.endpoints.replaceEndpoint({ ...before, label: 'begun before' }), false);
    strictEqual(await stateOf(world), 'disabled_by_breaker');
  }),
  'an endpoint that is enabled again goes on where its deliveries stood, oldest first, and has not failed': beside(
    async (world) => {
      await dying(world, { waiting: 8 });
      await failOnce(world, muchLater);
      const held = (await deliveriesOf(world.storage, ours)).filter(({ attempts }) => attempts === 0);
      await world.change({ state: 'enabled' });
      const claims = [await world.claim({ limit: 3 }), await world.claim({ limit: 4 })].flat();
      deepStrictEqual(
        claims.map(({ deliveryId, attempt }) => [deliveryId, attempt]),
        held.map(({ id }) => [id, 1]),
      );
      deepStrictEqual(await world.settle(claims.slice(0, failuresToOpen - 1), 'exhausted'), []);
      strictEqual(await stateOf(world), 'enabled');
    },
  ),
  'what was held and is released starves no other endpoint': beside(async (world) => {
    await world.deliver(60);
    const [first, ...others] = await world.claim({ limit: 10 });
    ok(first);
    await world.storage.queue.release(others);
    await goneAtOnce(world, [first]);
    const other = endpoint();
    await world.storage.endpoints.insertEndpoint(other, 20);
    await world.change({ state: 'enabled' });
    await world.deliver(2);
    const claims = await world.claim({ limit: 12 });
    strictEqual(claims.filter((claim) => claim.endpoint.id === other.id).length, 2);
    strictEqual(claims.length, 12);
  }),
  'an endpoint that its partner disabled, or changed, while it failed may be': beside(async (world) => {
    await world.deliver(failuresToOpen + 3);
    await world.settle(await world.claim({ limit: failuresToOpen }), muchLater);
    // A change of anything else forgets nothing.
    await world.change({ label: 'changed' });
    deepStrictEqual(await world.claim(), []);
    await world.change({ state: 'disabled' });
    await world.change({ state: 'enabled' });
    const claims = await world.claim();
    strictEqual(claims.length, 3);
    deepStrictEqual(await world.settle(claims, muchLater), []);
  }),
  'what is settled while an endpoint is disabled is not judged': beside(async (world) => {
    await world.deliver(2 * failuresToOpen);
    const [first, ...claims] = await world.claim();
    ok(first);
    await world.change({ state: 'disabled' });
    deepStrictEqual(await world.settle(claims, muchLater), []);
    await world.change({ state: 'enabled' });
    deepStrictEqual(await world.settle([first], muchLater), []);
    await world.deliver(2);
    strictEqual((await world.claim()).length, 2);
  }),
  'an endpoint that failed and was deleted is forgotten': beside(async (world) => {
    await world.deliver(failuresToOpen + 1);
    const [last, ...claims] = await world.claim();
    ok(last);
    await world.settle(claims, muchLater);
    strictEqual(await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id), true);
    deepStrictEqual(await world.settle([last], 'delivered', answered(200)), []);
    deepStrictEqual(await world.standing(last), ['delivered', 1]);
  }),
};
