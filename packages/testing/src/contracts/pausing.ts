import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type ClaimedDelivery, day, failuresToOpen, hour, minute, type SendOutcome, second } from '@partnerkit/core';
import { type Cases, whateverTheClocks } from './contract.ts';
import { race } from './racers.ts';
import { endpoint, event, ours } from './records.ts';
import { assertPausedFor, fail, firstPause, muchLater, paused } from './sick-world.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { slack } from './store-time.ts';
import { answered, beside, dispatchAll, events, leaseTime, publish, retryTime, type World } from './world.ts';

const ask = ({ storage }: World, claims: readonly ClaimedDelivery[], pauseFor: number) =>
  storage.queue.settle(claims.map((claim) => ({ ...claim, outcome: answered(429), next: muchLater, pauseFor })));

const pauseLasts = async (world: World): Promise<void> => {
  await paused(world, 3);
  await assertPausedFor(world, firstPause);
  strictEqual((await world.claim()).length, 1);
};

const wishIsGranted = async (world: World): Promise<void> => {
  await world.deliver(3);
  deepStrictEqual(await ask(world, await world.claim({ limit: 1 }), day), []);
  await assertPausedFor(world, day);
  strictEqual((await world.claim()).length, 2);
};

/** When nothing is sent to an endpoint. @internal */
export const pausingCases: Cases<StorageFixture> = {
  'attempts that fail in a row pause an endpoint, and the settlement that did so tells of it': beside(async (world) => {
    await world.deliver(failuresToOpen + 3);
    deepStrictEqual(await fail(world, failuresToOpen - 1), []);
    await world.elapse(2 * second);
    const [turn, ...more] = await fail(world, 1, { kind: 'failed', reason: 'tls', took: 1 });
    strictEqual(more.length, 0);
    ok(turn, 'it is told');
    const { failingFor, ...told } = turn;
    deepStrictEqual(told, {
      kind: 'endpoint_failing',
      accountId: ours,
      endpointId: world.endpoint.id,
      failures: failuresToOpen,
      outcome: 'tls',
      unfinished: failuresToOpen + 3,
    });
    ok(failingFor >= 2 * second && failingFor < 2 * second + slack, `it failed for ${failingFor} ms`);
    deepStrictEqual(await world.claim(), []);
  }),
  'a pause lasts as long as it should, and no longer': beside(pauseLasts),
  ...whateverTheClocks('a pause lasts as long as it should', beside(pauseLasts)),
  'a success between begins the count anew': beside(async (world) => {
    await world.deliver(2 * failuresToOpen);
    deepStrictEqual(await fail(world, failuresToOpen - 1), []);
    deepStrictEqual(await world.settle(await world.claim({ limit: 1 }), 'delivered', answered(200)), []);
    deepStrictEqual(await fail(world, failuresToOpen - 1), []);
    strictEqual((await world.claim()).length, 1);
  }),
  'settlements of one batch are judged in their order': beside(async (world) => {
    await world.deliver(2 * failuresToOpen + 2);
    const claims = await world.claim();
    const settled = claims.map((claim, index) =>
      index === failuresToOpen
        ? { ...claim, outcome: answered(201), next: 'delivered' as const }
        : { ...claim, outcome: answered(500), next: muchLater },
    );
    deepStrictEqual(
      (await world.storage.queue.settle(settled)).map(({ kind, failures, outcome, unfinished }) => [
        kind,
        failures,
        outcome,
        unfinished,
      ]),
      [
        ['endpoint_failing', failuresToOpen, 500, 2 * failuresToOpen + 1],
        ['endpoint_recovered', failuresToOpen, 201, 2 * failuresToOpen + 1],
        ['endpoint_failing', failuresToOpen, 500, 2 * failuresToOpen + 1],
      ],
    );
  }),
  'another endpoint of the account is not paused': beside(async (world) => {
    const other = endpoint({ events: ['cancel'] });
    await world.storage.endpoints.insertEndpoint(other, 20);
    await paused(world, 1);
    await publish(world.storage, [event({ type: 'cancel' })]);
    await dispatchAll(world.storage);
    deepStrictEqual((await world.claimOne()).endpoint.id, other.id);
  }),
  'what was in flight when an endpoint was paused settles as ever, and lengthens no pause': beside(async (world) => {
    await world.deliver(failuresToOpen + 6);
    const [refused, exhausted, ...others] = await world.claim();
    ok(refused && exhausted);
    await world.settle(others.slice(0, failuresToOpen), muchLater);
    deepStrictEqual(await world.settle(others.slice(failuresToOpen), muchLater), []);
    deepStrictEqual(await world.settle([exhausted], 'exhausted'), []);
    deepStrictEqual(await world.settle([refused], { retryIn: 0 }), []);
    deepStrictEqual(await world.standing(exhausted), ['exhausted', 1]);
    await assertPausedFor(world, firstPause);
    const probe = await world.claimOne();
    deepStrictEqual([probe.deliveryId, probe.attempt], [refused.deliveryId, 2]);
  }),
  'a success of what was in flight ends the pause': beside(async (world) => {
    await world.deliver(failuresToOpen + 3);
    const [confirmed, ...others] = await world.claim({ limit: failuresToOpen + 1 });
    ok(confirmed);
    await world.settle(others, muchLater);
    const turns = await world.settle([confirmed], 'delivered', answered(200));
    deepStrictEqual(
      turns.map(({ kind }) => kind),
      ['endpoint_recovered'],
    );
    strictEqual((await world.claim()).length, 2);
  }),
  'what waits for a paused endpoint uses up no attempt, and goes on where it stood': beside(async (world) => {
    await paused(world, 2);
    await world.elapse(firstPause);
    await world.settle([await world.claimOne()], 'delivered', answered(200));
    const next = await world.claimOne();
    deepStrictEqual([next.attempt, await world.attempts(next)], [1, []]);
  }),
  'a dispatch leases nothing for a paused endpoint, nor for one that is being probed': beside(async (world) => {
    const leased = async (): Promise<number> => {
      await publish(world.storage, events(3));
      return (await dispatchAll(world.storage, {})).flatMap(({ claimed }) => claimed).length;
    };
    await paused(world, 0);
    strictEqual(await leased(), 0);
    await world.elapse(firstPause);
    const probe = await world.claimOne();
    strictEqual(await leased(), 0);
    await world.settle([probe], 'delivered', answered(200));
    strictEqual((await world.claim()).length, 5);
  }),
  'an attempt that nobody made, or whose worker died, is no failure of its endpoint': beside(async (world) => {
    await world.deliver(3 * failuresToOpen);
    const never: SendOutcome = { kind: 'failed', reason: 'internal', took: 0 };
    deepStrictEqual(await fail(world, 2 * failuresToOpen, never), []);
    await world.claim();
    await world.elapse(leaseTime);
    strictEqual((await world.take()).abandoned.length, failuresToOpen);
    await world.elapse(retryTime);
    strictEqual((await world.claim()).length, failuresToOpen);
  }),
  'what comes too late, or again, is not judged': beside(async (world) => {
    await world.deliver(2 * failuresToOpen);
    const stale = await world.claim({ limit: failuresToOpen });
    await world.elapse(leaseTime);
    strictEqual((await world.take({ limit: 1 })).abandoned.length, failuresToOpen);
    deepStrictEqual(await world.settle(stale, muchLater), []);
    const [one] = await world.claim({ limit: 1 });
    ok(one, 'it is not paused');
    for (let times = 0; times < failuresToOpen; times++) deepStrictEqual(await world.settle([one], muchLater), []);
    strictEqual((await world.claim({ worker: 'worker-2', limit: 2 })).length, 2);
  }),
  'a receiver that asks to be left alone is, as long as it asks': beside(wishIsGranted),
  ...whateverTheClocks('a receiver that asks to be left alone is', beside(wishIsGranted)),
  'neither a success nor a smaller wish shortens the pause that was asked for': beside(async (world) => {
    await world.deliver(6);
    const [first, second, third] = await world.claim({ limit: 3 });
    ok(first && second && third);
    await ask(world, [first], 2 * hour);
    await ask(world, [second], minute);
    deepStrictEqual(await world.settle([third], 'delivered', answered(200)), []);
    await assertPausedFor(world, 2 * hour);
    strictEqual((await world.claim()).length, 3);
  }),
  'many that are asked for one pause at once open no breaker, a wish after that does': beside(async (world) => {
    await world.deliver(3 * failuresToOpen);
    const claims = await world.claim({ limit: 2 * failuresToOpen });
    deepStrictEqual(await ask(world, claims, 2 * hour), []);
    await world.elapse(2 * hour);
    const [next, ...others] = await world.claim();
    ok(next && others.length === failuresToOpen - 1, 'it is not half-open');
    deepStrictEqual(
      (await ask(world, [next], 1)).map(({ kind, failures }) => [kind, failures]),
      [['endpoint_failing', 2 * failuresToOpen + 1]],
    );
  }),
  'of many that settle at once each turn is told to one': beside(async (world) => {
    await world.deliver(41);
    const claims = await world.claim({ limit: 20 });
    const failing = await race((index) => world.settle(claims.slice(index, index + 1), muchLater));
    deepStrictEqual(
      failing.flat().map(({ kind, failures }) => [kind, failures]),
      [['endpoint_failing', failuresToOpen]],
    );
    await world.elapse(firstPause);
    await world.settle([await world.claimOne()], 'delivered', answered(200));
    const more = await world.claim();
    const again = await race((index) => world.settle(more.slice(index, index + 1), muchLater));
    strictEqual(again.flat().length, 1);
    const recovered = await race(() => world.settle([], 'delivered'));
    deepStrictEqual(recovered.flat(), []);
  }),
};
