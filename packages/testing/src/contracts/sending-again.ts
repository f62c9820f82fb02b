import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { day, hour } from '@partnerkit/core';
import type { Cases } from './contract.ts';
import { race } from './racers.ts';
import { newId, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { answered, beside, deliveriesOf, type World } from './world.ts';

const again = ({ storage }: World, deliveryId: string, accountId = ours) =>
  storage.log.sendAgain(accountId, deliveryId);

/** A delivery that is finished. */
const finished = async (world: World, next: 'delivered' | 'exhausted' = 'exhausted') => {
  await world.deliver(1);
  const claimed = await world.claimOne();
  await world.settle([claimed], next, answered(next === 'delivered' ? 200 : 500));
  return claimed;
};

/** What becomes of a delivery that is to be sent again. @internal */
export const sendingAgainCases: Cases<StorageFixture> = {
  'a finished delivery is sent again as a new one: same event, same bytes, same endpoint': beside(async (world) => {
    for (const next of ['delivered', 'exhausted'] as const) {
      const first = await finished(world, next);
      const sent = await again(world, first.deliveryId);
      ok(sent.kind === 'sent' && sent.deliveryId !== first.deliveryId);
      deepStrictEqual(await world.standing(first), [next, 1]);
      deepStrictEqual(await world.standing(sent), ['waiting', 0]);
      const claimed = await world.claimOne();
      deepStrictEqual(
        [claimed.deliveryId, claimed.attempt, claimed.endpoint.id],
        [sent.deliveryId, 1, world.endpoint.id],
      );
      deepStrictEqual(claimed.event, first.event);
      await world.settle([claimed], 'delivered', answered(200));
      deepStrictEqual(await world.standing(sent), ['delivered', 1]);
      strictEqual((await world.attempts(first)).length, 1);
    }
  }),
  'one that waits for a retry is due at once': beside(async (world) => {
    await world.deliver(1);
    const claimed = await world.claimOne();
    await world.settle([claimed], { retryIn: hour });
    deepStrictEqual(await world.claim(), []);
    for (let times = 0; times < 2; times++)
      deepStrictEqual(await again(world, claimed.deliveryId), { kind: 'sent', deliveryId: claimed.deliveryId });
    const retried = await world.claimOne();
    deepStrictEqual([retried.deliveryId, retried.attempt], [claimed.deliveryId, 2]);
    await world.settle([retried], 'delivered', answered(200));
    await world.elapse(2 * hour);
    deepStrictEqual(await world.claim(), []);
  }),
  'one that is held or being attempted is left alone': beside(async (world) => {
    await world.deliver(2);
    const [claimed] = await world.claim({ limit: 1 });
    ok(claimed);
    deepStrictEqual(await again(world, claimed.deliveryId), { kind: 'being_attempted' });
    await world.change({ state: 'disabled' });
    const held = (await deliveriesOf(world.storage, ours, { state: 'held' }))[0];
    deepStrictEqual(await again(world, held?.id ?? ''), { kind: 'held' });
    deepStrictEqual(await again(world, claimed.deliveryId), { kind: 'being_attempted' });
    strictEqual((await deliveriesOf(world.storage, ours)).length, 2);
  }),
  'nothing is sent again to an endpoint that is disabled or deleted': beside(async (world) => {
    const { deliveryId } = await finished(world);
    for (const state of ['disabled', 'disabled_by_breaker'] as const) {
      await world.change({ state });
      deepStrictEqual(await again(world, deliveryId), { kind: 'endpoint_disabled' });
    }
    await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id);
    deepStrictEqual(await again(world, deliveryId), { kind: 'endpoint_deleted' });
    strictEqual((await deliveriesOf(world.storage, ours)).length, 1);
  }),
  'nothing is sent again whose event was dropped': beside(async (world) => {
    const { deliveryId } = await finished(world);
    await world.elapse(31 * day);
    await world.storage.queue.prune({ held: 14 * day, events: 30 * day, attempts: 90 * day, most: 100 });
    deepStrictEqual(await again(world, deliveryId), { kind: 'event_dropped' });
    deepStrictEqual(await world.standing({ deliveryId }), ['exhausted', 1]);
  }),
  'while it is sent again, a second wish names the delivery that is under way': beside(async (world) => {
    const first = await finished(world);
    const sent = await again(world, first.deliveryId);
    ok(sent.kind === 'sent');
    const underWay = { kind: 'unfinished', deliveryId: sent.deliveryId };
    deepStrictEqual(await again(world, first.deliveryId), underWay);
    const claimed = await world.claimOne();
    deepStrictEqual(await again(world, first.deliveryId), underWay);
    await world.settle([claimed], { retryIn: hour });
    deepStrictEqual(await again(world, first.deliveryId), underWay);
    strictEqual((await deliveriesOf(world.storage, ours)).length, 2);
  }),
  'of many who wish it at once, exactly one has it sent again': beside(async (world) => {
    const first = await finished(world);
    const sent = await race(() => again(world, first.deliveryId));
    strictEqual(sent.filter(({ kind }) => kind === 'sent').length, 1);
    ok(sent.every(({ kind }) => kind === 'sent' || kind === 'unfinished'));
    strictEqual((await deliveriesOf(world.storage, ours)).length, 2);
    await world.claimOne();
  }),
  'another account sends nothing again, and learns nothing': beside(async (world) => {
    const { deliveryId } = await finished(world);
    for (const id of [newId(), (await deliveriesOf(world.storage, theirs))[0]?.id ?? ''])
      deepStrictEqual(await again(world, id), { kind: 'not_found' });
    deepStrictEqual(await again(world, deliveryId, theirs), { kind: 'not_found' });
    deepStrictEqual(await world.claim(), []);
  }),
};
