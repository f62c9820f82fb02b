import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { day, hour, minute } from '@partnerkit/core';
import { type Cases, whateverTheClocks } from './contract.ts';
import { race } from './racers.ts';
import { newId, ours } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { slack } from './store-time.ts';
import { answered, beside, leaseTime, retryTime, type World } from './world.ts';

const retryWaits = async (world: World): Promise<void> => {
  await world.deliver(1);
  const first = await world.claimOne();
  await world.settle([first], { retryIn: 24 * hour });
  await world.elapse(24 * hour - slack);
  deepStrictEqual(await world.claim(), []);
  await world.elapse(slack);
  const second = await world.claimOne();
  deepStrictEqual([second.deliveryId, second.attempt], [first.deliveryId, 2]);
};

/** Where a settlement moves a delivery. @internal */
export const settlingCases: Cases<StorageFixture> = {
  'a retry waits as long as was asked for, and no longer': beside(retryWaits),
  ...whateverTheClocks('a retry waits as long as was asked for', beside(retryWaits)),
  'every attempt sends the same bytes, and is counted': beside(async (world) => {
    await world.deliver(1);
    const first = await world.claimOne();
    for (let attempt = 1; attempt <= 10; attempt++) {
      const claimed = attempt === 1 ? first : await world.claimOne();
      strictEqual(claimed.attempt, attempt);
      deepStrictEqual(claimed.event, first.event);
      await world.settle([claimed], attempt < 10 ? { retryIn: hour } : 'exhausted');
      await world.elapse(hour);
    }
    deepStrictEqual(await world.standing(first), ['exhausted', 10]);
    strictEqual((await world.attempts(first)).length, 10);
  }),
  'what is delivered or exhausted is never claimed again': beside(async (world) => {
    await world.deliver(2);
    const [confirmed, exhausted] = await world.claim();
    ok(confirmed && exhausted);
    await world.settle([confirmed], 'delivered', answered(200));
    await world.settle([exhausted], 'exhausted');
    await world.change({ state: 'disabled' });
    await world.change({ state: 'enabled' });
    for (const time of [0, minute, 7 * day]) {
      await world.elapse(time);
      deepStrictEqual(await world.claim(), []);
    }
    deepStrictEqual(await world.standing(confirmed), ['delivered', 1]);
    deepStrictEqual(await world.standing(exhausted), ['exhausted', 1]);
  }),
  'a settlement that comes again changes nothing at all': beside(async (world) => {
    await world.deliver(2);
    const [confirmed, refused] = await world.claim();
    ok(confirmed && refused);
    for (let times = 0; times < 2; times++) {
      await world.settle([confirmed], 'delivered', answered(200));
      await world.settle([refused], { retryIn: hour });
    }
    deepStrictEqual(await world.standing(confirmed), ['delivered', 1]);
    deepStrictEqual(await world.standing(refused), ['waiting', 1]);
    deepStrictEqual([await world.ends(confirmed), await world.ends(refused)], [[200], [500]]);
    await world.elapse(hour);
    strictEqual((await world.claimOne()).attempt, 2);
    await world.settle([refused], 'exhausted');
    deepStrictEqual(await world.standing(refused), ['waiting', 1]);
  }),
  'of many that settle one lease at once exactly one counts': beside(async (world) => {
    await world.deliver(1);
    const claimed = await world.claimOne();
    await race((index) => world.settle([claimed], index % 2 ? 'delivered' : { retryIn: day }));
    strictEqual((await world.standing(claimed))[1], 1);
    strictEqual((await world.ends(claimed)).length, 1);
    deepStrictEqual(await world.claim(), []);
  }),
  'settlements of one batch stand each for itself': beside(async (world) => {
    const { queue } = world.storage;
    await world.deliver(2);
    const [stale, gone] = await world.claim();
    await world.elapse(leaseTime);
    await world.take();
    await world.deliver(3);
    const [a, b, c] = await world.claim();
    ok(stale && gone && a && b && c);
    const nobody = { deliveryId: newId(), lease: gone.lease };
    await queue.settle([]);
    await queue.settle([
      { ...stale, outcome: answered(500), next: 'exhausted' },
      { ...nobody, outcome: answered(500), next: 'exhausted' },
      { ...a, outcome: answered(200), next: 'delivered' },
      { ...c, outcome: answered(500), next: { retryIn: hour } },
    ]);
    deepStrictEqual(await world.standing(stale), ['waiting', 1]);
    deepStrictEqual(await world.standing(a), ['delivered', 1]);
    deepStrictEqual(await world.standing(b), ['waiting', 0]);
    deepStrictEqual(await world.standing(c), ['waiting', 1]);
    await queue.release([]);
    await queue.release([nobody, stale, b]);
    strictEqual((await world.claimOne()).deliveryId, b.deliveryId);
  }),

  'a retry is held where the endpoint was disabled meanwhile, and released when it is enabled': beside(
    async (world) => {
      for (const state of ['disabled', 'disabled_by_breaker'] as const) {
        await world.deliver(1);
        const claimed = await world.claimOne();
        await world.change({ state });
        await world.settle([claimed], { retryIn: 2 * hour });
        deepStrictEqual(await world.standing(claimed), ['held', 1]);
        await world.elapse(hour);
        await world.change({ state: 'enabled' });
        await world.elapse(hour - slack);
        deepStrictEqual(await world.claim(), []);
        await world.elapse(slack);
        const again = await world.claimOne();
        deepStrictEqual([again.deliveryId, again.attempt], [claimed.deliveryId, 2]);
        await world.settle([again], 'delivered', answered(200));
      }
    },
  ),
  'what is given back, or taken over, is held where the endpoint was disabled meanwhile': beside(async (world) => {
    await world.deliver(2);
    const [released, abandoned] = await world.claim();
    ok(released && abandoned);
    await world.change({ state: 'disabled' });
    await world.storage.queue.release([released]);
    deepStrictEqual(await world.standing(released), ['held', 0]);
    await world.elapse(leaseTime);
    deepStrictEqual(await world.claim({ worker: 'worker-2' }), []);
    await world.change({ state: 'enabled' });
    const first = await world.claimOne({ worker: 'worker-2' });
    deepStrictEqual([first.deliveryId, first.attempt], [released.deliveryId, 1]);
    await world.settle([first], 'delivered', answered(200));
    await world.elapse(retryTime);
    const second = await world.claimOne({ worker: 'worker-2' });
    deepStrictEqual([second.deliveryId, second.attempt], [abandoned.deliveryId, 2]);
  }),
  'a retry expires where the endpoint was deleted meanwhile': beside(async (world) => {
    await world.deliver(2);
    const [retried, released] = await world.claim();
    ok(retried && released);
    strictEqual(await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id), true);
    await world.settle([retried], { retryIn: minute });
    await world.storage.queue.release([released]);
    strictEqual((await world.standing(retried))[0], 'expired');
    strictEqual((await world.standing(released))[0], 'expired');
    strictEqual((await world.attempts(retried)).length, 1);
    await world.elapse(hour);
    deepStrictEqual(await world.claim(), []);
  }),
  'what was confirmed is delivered, whatever became of the endpoint meanwhile': beside(async (world) => {
    await world.deliver(2);
    const [first, second] = await world.claim();
    ok(first && second);
    await world.change({ state: 'disabled' });
    await world.settle([first], 'delivered', answered(200));
    deepStrictEqual(await world.standing(first), ['delivered', 1]);
    strictEqual(await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id), true);
    await world.settle([second], 'delivered', answered(200));
    deepStrictEqual(await world.standing(second), ['delivered', 1]);
    deepStrictEqual(await world.standing(first), ['delivered', 1]);
  }),
};
