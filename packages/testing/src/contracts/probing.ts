import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { failuresToOpen, hour, minute } from '@partnerkit/core';
import type { Cases } from './contract.ts';
import { race } from './racers.ts';
import { ours } from './records.ts';
import { assertPausedFor, fail, firstPause, halfOpen, longestPause, muchLater, secondPause } from './sick-world.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { slack } from './store-time.ts';
import { answered, beside, dispatchAll, events, leaseTime, publish } from './world.ts';

/** How an endpoint whose pause is over is tried. @internal */
export const probingCases: Cases<StorageFixture> = {
  'a dispatch probes a half-open endpoint with one delivery': beside(async (world) => {
    await halfOpen(world, 0);
    await publish(world.storage, events(3));
    const claimed = (await dispatchAll(world.storage, {})).flatMap((each) => each.claimed);
    const rest = await world.claim();
    strictEqual(claimed.length + rest.length, 1);
  }),
  'of many that claim at once one is given one delivery of a half-open endpoint': beside(async (world) => {
    await halfOpen(world, 20);
    const claims = (await race((index) => world.claim({ worker: `worker-${index}` }))).flat();
    strictEqual(claims.length, 1);
    deepStrictEqual(await world.claim({ worker: 'worker-99' }), []);
  }),
  'each probe that fails pauses its endpoint for longer, up to the last pause, and tells of nothing': beside(
    async (world) => {
      await halfOpen(world, 6);
      for (const pause of [secondPause, longestPause, longestPause, longestPause]) {
        deepStrictEqual(await world.settle([await world.claimOne()], muchLater), []);
        await assertPausedFor(world, pause);
      }
      await world.claimOne();
    },
  ),
  'a success closes the breaker, tells of it, and all goes on': beside(async (world) => {
    await halfOpen(world, 6);
    const [turn, ...more] = await world.settle([await world.claimOne()], 'delivered', answered(202));
    strictEqual(more.length, 0);
    ok(turn, 'it is told');
    const { failingFor, ...told } = turn;
    deepStrictEqual(told, {
      kind: 'endpoint_recovered',
      accountId: ours,
      endpointId: world.endpoint.id,
      failures: failuresToOpen,
      outcome: 202,
      unfinished: failuresToOpen + 5,
    });
    ok(failingFor >= firstPause && failingFor < firstPause + slack, `it failed for ${failingFor} ms`);
    strictEqual((await world.claim()).length, 5);
    // And all is forgotten.
    await world.deliver(failuresToOpen);
    deepStrictEqual(await fail(world, failuresToOpen - 1), []);
  }),
  'a probe whose worker died is followed by another': beside(async (world) => {
    await halfOpen(world, 3);
    const first = await world.claimOne();
    await world.elapse(leaseTime - slack);
    deepStrictEqual(await world.claim({ worker: 'worker-2' }), []);
    await world.elapse(slack);
    const second = await world.claimOne({ worker: 'worker-2' });
    ok(second.deliveryId !== first.deliveryId, 'the first one waits for its next attempt');
    deepStrictEqual(await world.claim({ worker: 'worker-3' }), []);
  }),
  'a probe that is given back is followed by another': beside(async (world) => {
    await halfOpen(world, 3);
    await world.storage.queue.release([await world.claimOne()]);
    await world.claimOne({ worker: 'worker-2' });
    deepStrictEqual(await world.claim(), []);
  }),
  'the probe is what has most attempts behind it, then what fell due first': beside(async (world) => {
    await world.deliver(failuresToOpen + 2);
    const [tried, ...failing] = await world.claim({ limit: failuresToOpen });
    ok(tried);
    await world.settle(failing, muchLater);
    await world.settle([tried], { retryIn: minute / 2 });
    await world.elapse(firstPause);
    const first = await world.claimOne();
    deepStrictEqual([first.deliveryId, first.attempt], [tried.deliveryId, 2]);
    await world.settle([first], { retryIn: hour });
    await world.elapse(secondPause);
    const second = await world.claimOne();
    strictEqual(second.attempt, 1);
    await world.settle([second], { retryIn: hour });
    await world.elapse(2 * hour);
    deepStrictEqual((await world.claimOne()).deliveryId, tried.deliveryId);
  }),
};
