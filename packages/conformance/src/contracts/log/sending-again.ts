import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { hour } from '@partnerkit/core';
import { type DeliveryKey, deliveryIdOf } from '@partnerkit/core/adapter';
import { listen } from '../shards/waking.ts';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { answered, dropEvents, logged, pending } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { newId, theirs } from '../support/records.ts';
import { stored } from '../support/stored.ts';
import { beside, type World } from '../support/world.ts';

const again = ({ storage: { log } }: World, key: DeliveryKey) => log.sendAgain(key);
const sent = (key: DeliveryKey, replay = key.replay) => ({
  kind: 'sent',
  deliveryId: deliveryIdOf({ ...key, replay }),
});

/** Deliveries that are sent again. */
export const sendingAgainCases: Cases<StorageFixture> = {
  'a finished delivery does not change, and a new one of the same event is due': beside(async (world) => {
    const [key] = await world.complete(1);
    const { events: before } = await stored(world.storage, key.accountId);
    const { stop, events } = await listen(world.storage);
    deepStrictEqual(await again(world, key), sent(key, 1));
    await events(key.accountId);
    stop();
    const [made, ...others] = await world.due();
    strictEqual(others.length, 0);
    const expected = {
      ...key,
      replay: 1,
      event: before[0],
      attempts: 0,
      logged: 0,
      wasAbandoned: false,
      isUrgent: true,
    };
    deepStrictEqual(made, expected);
    await world.settle({
      attempts: [logged({ ...key, replay: 1 }, 1, answered(500), 'exhausted')],
      finished: [expected],
    });
    deepStrictEqual(await again(world, { ...key, replay: 1 }), sent(key, 2));
    strictEqual((await world.storage.log.listAttempts(key)).length, 1);
  }),
  'a waiting delivery is due now and urgent, with its own id': beside(async (world) => {
    const [retried, fresh, queued] = await world.deliver(3);
    await world.settle({
      pending: [
        pending(retried, { state: 'scheduled', dueIn: hour, attempts: 2, logged: 3 }),
        pending(queued, { dueIn: -hour, attempts: 1, logged: 1 }),
      ],
    });
    for (const key of [retried, fresh, retried, queued]) deepStrictEqual(await again(world, key), sent(key));
    // The one that was due first stays first.
    deepStrictEqual(
      (await world.due()).map(({ eventId, attempts, logged: number, isUrgent }) => [
        eventId,
        attempts,
        number,
        isUrgent,
      ]),
      [
        [queued.eventId, 1, 1, true],
        [retried.eventId, 2, 3, true],
      ],
    );
    deepStrictEqual(await world.queued(), []);
    strictEqual((await stored(world.storage, retried.accountId)).deliveries.length, 3);
  }),
  'while a new delivery is unfinished, sending the old one again returns the new one': beside(async (world) => {
    const [key] = await world.complete(1);
    await again(world, key);
    deepStrictEqual(await again(world, key), { ...sent(key, 1), kind: 'unfinished' });
    deepStrictEqual(await again(world, { ...key, replay: 1 }), sent(key, 1));
  }),
  'exactly one of many simultaneous calls creates the new delivery': beside(async (world) => {
    const [key] = await world.complete(1);
    const kinds = (await race(() => again(world, key))).map(({ kind }) => kind);
    strictEqual(kinds.filter((kind) => kind === 'sent').length, 1);
    ok(kinds.every((kind) => kind === 'sent' || kind === 'unfinished'));
    strictEqual((await world.due()).length, 1);
  }),
  'a refusal changes nothing': beside(async (world) => {
    const { storage } = world;
    const [key] = await world.complete(1);
    const [held] = await world.enqueue(1);
    const refused = async (of: DeliveryKey, kind: string): Promise<void> => {
      const before = await stored(storage, key.accountId);
      deepStrictEqual(await again(world, of), { kind });
      deepStrictEqual(await stored(storage, key.accountId), before);
    };
    for (const change of [{ accountId: theirs }, { replay: 1 }, { eventId: newId() }, { endpointId: newId() }])
      await refused({ ...key, ...change }, 'not_found');
    for (const state of ['disabled', 'disabled_by_breaker'] as const) {
      await world.change({ state });
      await refused(held, 'held');
      await refused(key, 'endpoint_disabled');
    }
    await world.storage.endpoints.deleteEndpoint(key.accountId, key.endpointId);
    await refused(key, 'endpoint_deleted');
  }),
  'a delivery of a pruned event is not sent again': beside(async (world) => {
    const [key] = await world.complete(1);
    await dropEvents(world);
    deepStrictEqual(await again(world, key), { kind: 'not_found' });
    deepStrictEqual(await world.due(), []);
  }),
};
