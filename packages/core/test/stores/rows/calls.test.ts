import { expect, test } from 'vitest';
import type { Sealed } from '../../../src/base/crypto/seal.ts';
import { day, minute } from '../../../src/base/runtime/time.ts';
import { memoryRows } from '../../../src/stores/rows/memory/memory-rows.ts';
import type { Plan, RowTx, RunMode } from '../../../src/stores/rows/port/row-store.ts';
import { rowStorage } from '../../../src/stores/rows/storage.ts';
import { rowTables } from '../../../src/stores/rows/tables/index.ts';
import type { PendingChange } from '../../../src/webhooks/deliveries/delivery-store.ts';
import type { Endpoint } from '../../../src/webhooks/endpoints/endpoint.ts';
import { shardCount, shardOf } from '../../../src/webhooks/shards/shard.ts';
import { testClock } from '../../support/clock.ts';

/** Accounts in as many shards. */
const accountIds = ((): readonly string[] => {
  const byShard = new Map<number, string>();
  for (let nth = 0; byShard.size < 40; nth++) byShard.set(shardOf(`a${nth}`), `a${nth}`);
  return [...byShard.values()];
})();

const endpointOf = (accountId: string): Endpoint => ({
  ...{ id: `endpoint of ${accountId}`, accountId, kind: 'push', url: 'https://x.example/', events: ['payed'] },
  ...{
    state: 'enabled',
    standardWebhooks: false,
    includeChildren: false,
    createdAt: 0,
    secret: 's' as Sealed,
    version: 1,
  },
});

/** Storage over rows that counts the calls of operations: on a database elsewhere, each is a statement. */
const countedStorage = () => {
  const clock = testClock();
  const rows = memoryRows(rowTables, clock);
  let calls = 0;
  const counted = (tx: RowTx): RowTx =>
    new Proxy(tx, {
      get: (target, name: keyof RowTx) => {
        if (name === 'yield') return undefined;
        if (name !== 'wake') calls++;
        return target[name];
      },
    });
  const storage = rowStorage({
    ...rows,
    run: <T>(mode: RunMode, plan: (tx: RowTx) => Plan<T>) => rows.run(mode, (tx) => plan(counted(tx))),
  });
  return {
    storage,
    clock,
    /** How many calls this takes. */
    callsOf: async (work: () => Promise<unknown>): Promise<number> => {
      const before = calls;
      await work();
      return calls - before;
    },
  };
};

const everywhere = Array.from({ length: shardCount }, (_, shard) => ({ shard }));

/** Counted storage of one worker, which owns all shards. */
const world = async () => {
  const counted = countedStorage();
  const { shards, events, deliveries } = counted.storage;
  await shards.join('w', minute);
  await shards.acquire('w', shardCount);
  return {
    ...counted,
    /** Commits an event of each account. */
    publish: (name: string) =>
      counted.storage.transaction((tx) =>
        events.append(
          tx,
          accountIds.map((accountId) => ({
            ...{ id: `${name} of ${accountId}`, accountId, objectName: 'RequestPayment', objectId: 'p', type: 'payed' },
            bodyTail: ',"data":{"id":"p"}}',
          })),
        ),
      ),
    /** Dispatches everything: to the endpoint of its account, whose deliveries are stored; to that; to none. */
    dispatch: async (timestamp: number, to: 'queue' | 'memory' | 'none') => {
      const found = await deliveries.readOutbox(everywhere, 1_000, 0);
      const queued = found.events.map(
        ({ id: eventId, accountId, shard }): PendingChange => ({
          ...{ shard, accountId, eventId, endpointId: endpointOf(accountId).id, replay: 0 },
          ...{ state: 'queued', dueIn: 0, attempts: 0, logged: 0 },
        }),
      );
      const dispatched = found.events.map((event) => ({
        ...{ event, timestamp, endpointIds: to === 'none' ? [] : [endpointOf(event.accountId).id], propagates: false },
      }));
      await deliveries.dispatch('w', dispatched, to === 'queue' ? queued : [], 0);
    },
  };
};

/** Of each account: an endpoint, an event that is not dispatched, a delivery that is stored, and one that is not. */
const filledStorage = async () => {
  const made = await world();
  for (const accountId of accountIds) await made.storage.endpoints.insertEndpoint(endpointOf(accountId), 20);
  await made.publish('stored');
  await made.dispatch(1, 'queue');
  await made.publish('fresh');
  await made.dispatch(2, 'memory');
  await made.publish('published');
  return made;
};

test('the backlog of all accounts takes as many calls as that of one', async () => {
  const { storage, callsOf } = await filledStorage();
  expect(await storage.log.countBacklog()).toEqual({ undispatched: 40, waiting: 80, held: 0, oldestDue: 0 });
  expect(await callsOf(() => storage.log.countBacklog())).toBe(10);
  expect(await callsOf(() => storage.log.countBacklog(accountIds[0]))).toBe(10);
});

test('statistics of endpoints take as many calls as those of one', async () => {
  const { storage, callsOf } = countedStorage();
  const [accountId = ''] = accountIds;
  const ids = ['e1', 'e2', 'e3'];
  for (const id of ids) await storage.endpoints.insertEndpoint({ ...endpointOf(accountId), id }, 20);
  const read = (endpointIds: readonly string[]) =>
    callsOf(() => storage.log.readStatistics(accountId, endpointIds, { from: 0, width: day }));
  expect([await read(ids.slice(0, 1)), await read(ids)]).toEqual([8, 8]);
});

test('a take-over of all shards takes as many calls as that of one', async () => {
  const { storage, callsOf } = await filledStorage();
  const recover = (numbers: readonly number[]) =>
    callsOf(() =>
      storage.deliveries.recover(
        'w',
        numbers.map((shard) => ({ shard, watermark: 0, wasAbandoned: true })),
      ),
    );
  expect(await recover([shardOf(accountIds[0] ?? '')])).toBe(11);
  expect(await recover(accountIds.map(shardOf))).toBe(11);
});

test('accounts with queued deliveries are found by one call, and the rest of a range by the next', async () => {
  const { storage, callsOf } = await filledStorage();
  const [first = '', second = ''] = accountIds;
  const ranges = [first, second].map((accountId) => ({ shard: shardOf(accountId) }));
  expect(await callsOf(() => storage.deliveries.readQueuedAccounts(ranges, 5))).toBe(1);
  expect(await storage.deliveries.readQueuedAccounts(ranges, 5)).toEqual({ accountIds: [first, second], rest: [] });
  expect(await storage.deliveries.readQueuedAccounts(ranges, 1)).toEqual({
    accountIds: [first, second],
    rest: [
      { shard: shardOf(first), after: first },
      { shard: shardOf(second), after: second },
    ],
  });
});

test('pruning looks at no further shard once it has deleted as many rows as it may', async () => {
  const { storage, clock, callsOf, publish, dispatch } = await world();
  await publish('old');
  await dispatch(1, 'none');
  clock.set(clock.now() + 31 * day);
  const shards = everywhere.map(({ shard }) => shard);
  await storage.deliveries.recover(
    'w',
    shards.map((shard) => ({ shard, watermark: clock.now(), wasAbandoned: false })),
  );
  await storage.shards.heartbeat('w', minute, { shards, watermark: clock.now(), settlement: 0, isStopping: false });
  const limits = { held: day, deleted: day, events: 30 * day, limit: 2 };
  const prune = () => storage.log.prune(shards, limits);
  // Of two shards, each deletes from the attempts, the dispatches and the events.
  expect(await callsOf(prune)).toBe(31);
  expect((await prune()).hasMore).toBe(true);
});

test('held deliveries of one endpoint expire by one read and one insert', async () => {
  const { storage, clock, callsOf, publish, dispatch } = await world();
  const [accountId = ''] = accountIds;
  const endpoint = endpointOf(accountId);
  await storage.endpoints.insertEndpoint({ ...endpoint, state: 'disabled' }, 20);
  for (const nth of [1, 2, 3]) {
    await publish(`held ${nth}`);
    await dispatch(nth, 'queue');
  }
  clock.set(clock.now() + 15 * day);
  const limits = { held: 14 * day, deleted: day, events: 30 * day, limit: 100 };
  const prune = () => storage.log.prune([shardOf(accountId)], limits);
  // Three of them count what failed.
  expect(await callsOf(prune)).toBe(18);
  expect(await storage.log.listDeliveries(accountId, { state: 'expired' }, {})).toMatchObject({ items: [{}, {}, {}] });
});
