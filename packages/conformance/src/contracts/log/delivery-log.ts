import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type Delivery, type DeliveryFilter, type EventPairs, hour, type PageRequest } from '@partnerkit/core';
import { deliveryIdOf, type ShardedKey } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import {
  answered,
  dispatchAll,
  events,
  eventsOf,
  keyOf,
  logged,
  markSettled,
  pending,
  publish,
  settlementOf,
} from '../support/acts.ts';
import { type Cases, type ContractOptions, runCases } from '../support/contract.ts';
import { allPages, badCursors, idsOf, type Listing, pageCases } from '../support/pages.ts';
import { endpoint, event, newId, ours, theirs } from '../support/records.ts';
import { deliveriesOf } from '../support/stored.ts';
import { beside, type World } from '../support/world.ts';
import { backlogCases } from './backlogs.ts';
import { explainingCases } from './explaining.ts';
import { failedHourCases } from './failed-hours.ts';
import { healthSnapshotCases } from './health-snapshots.ts';
import { pruningCases } from './pruning.ts';
import { replayingCases } from './replaying.ts';
import { sendingAgainCases } from './sending-again.ts';
import { statisticsCases } from './statistics.ts';

const failed = (reason: 'abandoned' | 'out_of_reach') => ({ kind: 'failed', reason, durationMs: 0 }) as const;

const listingOf = async ({ storage }: StorageFixture): Promise<Listing> => {
  const hooks = new Map([ours, theirs].map((accountId) => [accountId, endpoint({ accountId })]));
  for (const each of hooks.values()) await storage.endpoints.insertEndpoint(each, 20);
  await storage.shards.join('lists', hour);
  return {
    add: async (accountId, count) => {
      const [hook, published] = [hooks.get(accountId), events(count, { accountId })];
      ok(hook);
      await publish(storage, published);
      await dispatchAll(storage, () => ({ endpointIds: [hook.id] }));
      return published.map((each) => deliveryIdOf(keyOf(each, hook.id)));
    },
    change: async (accountId, id) => {
      const [eventId = '', endpointId = ''] = id.split('.');
      const key = keyOf(event({ accountId, id: eventId }), endpointId);
      const attempts = [logged(key, 1, answered(500))];
      await storage.deliveries.settle('lists', settlementOf({ attempts, pending: [pending(key)] }), 0);
    },
    page: async (accountId, request) => idsOf(await storage.log.listDeliveries(accountId, {}, request)),
  };
};

/**
 * Our deliveries in each state, with the counted attempts. The last three go to separate endpoints, about another
 * object.
 */
const oneOfEach = async (world: World): Promise<readonly (readonly [ShardedKey, Delivery['state'], number])[]> => {
  const { storage, deliver, settle } = world;
  const [disabled, failing, gone] = [endpoint(), endpoint(), endpoint()];
  for (const each of [disabled, failing, gone]) await storage.endpoints.insertEndpoint(each, 20);
  const keys = await deliver(6, { objectId: 'one' });
  const others: ShardedKey[] = [];
  for (const { id } of [disabled, failing, gone]) {
    const about = { objectName: 'RequestSecurityDeposit', objectId: 'two', type: 'cancel' };
    // The last one is a test event.
    const published = event({ ...about, ...(id === gone.id ? { onlyTo: id } : {}) });
    await publish(storage, [published]);
    await dispatchAll(storage, () => ({ endpointIds: [id] }));
    others.push(keyOf(published, id));
  }
  const [fresh, scheduled, queued, delivered, exhausted, outOfReach] = keys;
  ok(fresh && scheduled && queued && delivered && exhausted && outOfReach);
  await settle({
    attempts: [
      ...[failed('abandoned'), answered(410), answered(500)].map((each, index) => logged(delivered, index + 1, each)),
      logged(delivered, 4, answered(200), 'delivered'),
      logged(exhausted, 1, answered(500), 'exhausted'),
      logged(outOfReach, 1, failed('out_of_reach'), 'expired'),
      logged(scheduled, 1, answered(500)),
    ],
    pending: [
      pending(scheduled, { state: 'scheduled', dueIn: hour, attempts: 1, logged: 1 }),
      pending(queued),
      ...others.map((key) => pending(key, { attempts: 2, logged: 2 })),
    ],
  });
  await storage.endpoints.replaceEndpoint({ ...disabled, state: 'disabled' });
  await storage.endpoints.replaceEndpoint({ ...failing, state: 'disabled_by_breaker' });
  await storage.endpoints.deleteEndpoint(ours, gone.id);
  const ends = [
    'waiting 0',
    'waiting 1',
    'waiting 0',
    'delivered 2',
    'exhausted 1',
    'expired 0',
    'held 2',
    'held 2',
    'expired 2',
  ];
  return [...keys, ...others].map((key, index) => {
    const [state, attempts] = ends[index]?.split(' ') ?? [];
    return [key, state as Delivery['state'], Number(attempts)];
  });
};

const cases: Cases<StorageFixture> = {
  'each delivery is listed with its event, its state and its counted attempts': beside(async (world) => {
    const made = await oneOfEach(world);
    const events = await allPages((page) => world.storage.events.listEvents(ours, page));
    const eventOf = (eventId: string) => {
      const found = events.find(({ id }) => id === eventId);
      ok(found && 'timestamp' in found);
      const { objectName, objectId, type, timestamp, onlyTo } = found;
      return { objectName, objectId, type, timestamp, isTest: onlyTo !== undefined };
    };
    const expected = made.map(([key, state, attempts]) => ({
      ...{ id: deliveryIdOf(key), eventId: key.eventId, endpointId: key.endpointId, state, attempts },
      event: eventOf(key.eventId),
    }));
    deepStrictEqual(await deliveriesOf(world.storage, ours), expected);
    deepStrictEqual(await world.storage.log.listDeliveries('acc_nobody', {}, {}), { items: [] });
  }),
  'an unsettled delivery is waiting, while its shard is not marked as settled': beside(async (world) => {
    const [key] = await world.deliver(1);
    const waiting = async () => eventsOf(await deliveriesOf(world.storage, ours, { state: 'waiting' }));
    deepStrictEqual(await waiting(), [key.eventId]);
    await world.elapse(hour);
    await markSettled(world);
    deepStrictEqual(await waiting(), []);
  }),
  'deliveries match every given filter, with any page size': beside(async (world) => {
    const { storage } = world;
    await oneOfEach(world);
    const all = await deliveriesOf(storage, ours);
    const [first, , , , , , held] = all;
    ok(first && held);
    const filters: readonly (readonly [DeliveryFilter<EventPairs>, readonly number[]])[] = [
      [{ state: 'waiting' }, [0, 1, 2]],
      [{ state: 'delivered' }, [3]],
      [{ state: 'exhausted' }, [4]],
      [{ state: 'expired' }, [5, 8]],
      [{ state: 'held' }, [6, 7]],
      [{ endpointId: first.endpointId }, [0, 1, 2, 3, 4, 5]],
      [{ endpointId: first.endpointId, state: 'expired' }, [5]],
      [{ eventId: held.eventId }, [6]],
      [{ eventId: held.eventId, state: 'waiting' }, []],
      [{ eventId: newId() }, []],
      [{ objectId: 'one' }, [0, 1, 2, 3, 4, 5]],
      [{ objectName: 'RequestSecurityDeposit', state: 'held' }, [6, 7]],
      [{ type: 'cancel' }, [6, 7, 8]],
    ];
    for (const [filter, places] of filters) {
      const expected = places.map((place) => all[place]);
      for (const newestFirst of [false, true]) {
        const read = (page: PageRequest) => storage.log.listDeliveries(ours, filter, { ...page, newestFirst });
        const found = await allPages(read, { limit: 2 });
        deepStrictEqual(found, newestFirst ? expected.toReversed() : expected);
      }
      const foreign = await deliveriesOf(storage, theirs, filter);
      ok(!foreign.some(({ id }) => all.some((each) => each.id === id)));
    }
  }),
  'deliveries are filtered by the time of dispatch of their event': beside(
    async ({ storage, endpoint: own, storeNow }) => {
      const start = Math.floor(await storeNow()) + hour;
      for (const after of [0, 1, 5]) {
        await publish(storage, [event()]);
        await dispatchAll(storage, () => ({ endpointIds: [own.id] }), start + after);
      }
      const count = async (filter: DeliveryFilter<EventPairs>) => (await deliveriesOf(storage, ours, filter)).length;
      for (const [from, to, between] of [
        [0, 1, 1],
        [0, 5, 2],
        [1, 6, 2],
        [2, 5, 0],
      ] as const)
        strictEqual(await count({ from: start + from, to: start + to }), between);
      deepStrictEqual([await count({ from: start + 1 }), await count({ to: start + 1 })], [2, 1]);
    },
  ),
  'only the account of a delivery reads its attempts': beside(async ({ storage, complete }) => {
    const [key] = await complete(1);
    strictEqual((await storage.log.listAttempts(key)).length, 1);
    for (const change of [{ accountId: theirs }, { replay: 1 }, { endpointId: newId() }, { eventId: newId() }])
      deepStrictEqual(await storage.log.listAttempts({ ...key, ...change }), []);
  }),
  'an invalid cursor is reported': beside(async ({ storage: { log }, endpoint: own, deliver }) => {
    await deliver(2);
    const invalid = { items: [], invalidCursor: true };
    for (const after of badCursors) {
      deepStrictEqual(await log.listDeliveries(ours, {}, { after }), invalid, after);
      deepStrictEqual(await log.listDeliveries(ours, { state: 'held' }, { after, newestFirst: true }), invalid, after);
      deepStrictEqual(await log.replay(ours, own.id, { from: 0, to: 1, after }), { kind: 'invalid_cursor' }, after);
    }
  }),
  ...pageCases('deliveries', listingOf),
  ...sendingAgainCases,
  ...replayingCases,
  ...explainingCases,
  ...statisticsCases,
  ...backlogCases,
  ...healthSnapshotCases,
  ...pruningCases,
  ...failedHourCases,
};

/**
 * Tests the obligations of a `DeliveryLog`: lists, attempts, explanations, deliveries sent again or replayed, the
 * backlog, pruning.
 */
export const deliveryLogContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
