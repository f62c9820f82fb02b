import { deepStrictEqual, strictEqual } from 'node:assert';
import { hour } from '@partnerkit/core';
import type { Cases } from './contract.ts';
import { ours } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { slack } from './store-time.ts';
import { answered, beside, deliveriesOf, leaseTime, retryTime, type World } from './world.ts';

const statesOf = async ({ storage }: World): Promise<readonly string[]> =>
  (await deliveriesOf(storage, ours)).map(({ state }) => state);

/** What a change of an endpoint does to its deliveries, in the same act. @internal */
export const endpointDeliveryCases: Cases<StorageFixture> = {
  'an endpoint that is disabled holds what waits, one that is enabled releases it': beside(async (world) => {
    await world.deliver(3);
    await world.change({ state: 'disabled' });
    deepStrictEqual(await statesOf(world), ['held', 'held', 'held']);
    deepStrictEqual(await world.claim(), []);
    await world.change({ state: 'enabled' });
    deepStrictEqual(await statesOf(world), ['waiting', 'waiting', 'waiting']);
    strictEqual((await world.claim()).length, 3);
  }),
  'what the breaker holds stays held when its partner disables the endpoint': beside(async (world) => {
    await world.deliver(1);
    for (const state of ['disabled_by_breaker', 'disabled', 'disabled_by_breaker'] as const) {
      await world.change({ state });
      deepStrictEqual(await statesOf(world), ['held']);
      deepStrictEqual(await world.claim(), []);
    }
    await world.change({ state: 'enabled' });
    await world.claimOne();
  }),
  'a change that leaves an endpoint enabled holds nothing': beside(async (world) => {
    await world.deliver(1);
    await world.change({ url: 'https://moved.partner.example/', events: ['cancel'] });
    deepStrictEqual(await statesOf(world), ['waiting']);
    strictEqual((await world.claimOne()).endpoint.url, 'https://moved.partner.example/');
  }),
  'a change that comes too late holds nothing, and releases nothing': beside(async (world) => {
    const { endpoints } = world.storage;
    await world.deliver(1);
    await world.change({ label: 'in time' });
    strictEqual(await endpoints.replaceEndpoint({ ...world.endpoint, state: 'disabled' }), false);
    deepStrictEqual(await statesOf(world), ['waiting']);
    await world.change({ state: 'disabled' });
    strictEqual(await endpoints.replaceEndpoint(world.endpoint), false);
    deepStrictEqual(await statesOf(world), ['held']);
    deepStrictEqual(await world.claim(), []);
  }),
  'a delivery that was held is attempted when it was due anyway': beside(async (world) => {
    await world.deliver(1);
    await world.settle([await world.claimOne()], { retryIn: 2 * hour });
    await world.change({ state: 'disabled' });
    await world.elapse(hour);
    await world.change({ state: 'enabled' });
    await world.elapse(hour - slack);
    deepStrictEqual(await world.claim(), []);
    await world.elapse(slack);
    strictEqual((await world.claimOne()).attempt, 2);
  }),
  'of disabling and claiming at once, what was not claimed is held': beside(async (world) => {
    await world.deliver(20);
    const [, first, second] = await Promise.all([
      world.change({ state: 'disabled' }),
      world.claim({ limit: 5 }),
      world.claim({ limit: 5, worker: 'worker-2' }),
    ]);
    const claimed = new Set([...first, ...second].map(({ deliveryId }) => deliveryId));
    for (const { id, state } of await deliveriesOf(world.storage, ours))
      if (!claimed.has(id)) strictEqual(state, 'held');
    deepStrictEqual(await world.claim(), []);
  }),
  'an endpoint that is deleted lets all that is unfinished expire': beside(async (world) => {
    await world.deliver(1);
    await world.settle([await world.claimOne()], 'delivered', answered(200));
    await world.deliver(1);
    await world.settle([await world.claimOne()], { retryIn: hour });
    await world.deliver(2);
    strictEqual(await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id), true);
    deepStrictEqual((await statesOf(world)).toSorted(), ['delivered', 'expired', 'expired', 'expired']);
    await world.elapse(2 * hour);
    deepStrictEqual(await world.claim(), []);
  }),
  'an endpoint that is deleted lets what is held expire': beside(async (world) => {
    await world.deliver(2);
    await world.change({ state: 'disabled' });
    strictEqual(await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id), true);
    deepStrictEqual(await statesOf(world), ['expired', 'expired']);
    deepStrictEqual(await world.claim(), []);
  }),
  'an account that may not delete an endpoint lets nothing expire': beside(async (world) => {
    await world.deliver(1);
    strictEqual(await world.storage.endpoints.deleteEndpoint('acc_third', world.endpoint.id), false);
    await world.claimOne();
  }),
  'what was out when its endpoint was deleted is never claimed again': beside(async (world) => {
    await world.deliver(2);
    await world.claim();
    strictEqual(await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id), true);
    for (const time of [leaseTime, retryTime]) {
      await world.elapse(time);
      deepStrictEqual(await world.claim(), []);
      deepStrictEqual(await statesOf(world), ['expired', 'expired']);
    }
  }),
};
