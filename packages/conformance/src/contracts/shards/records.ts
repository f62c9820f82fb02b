import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { minute, second } from '@partnerkit/core';
import { type Settlement, type Storage, shardOf, type WorkerRecord } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { answered, logged, settlementOf } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { endpoint, ours } from '../support/records.ts';

const noWatermark = { shards: [], watermark: 0, settlement: 0, isStopping: false };

const recordOf = async ({ shards }: Storage<object>, workerId: string): Promise<WorkerRecord> => {
  const membership = await shards.heartbeat(workerId, minute, noWatermark);
  ok(membership !== 'fenced', `${workerId} is there`);
  return membership.stored;
};
const ownedBy = async (storage: Storage<object>, workerId: string): Promise<readonly number[]> =>
  (await recordOf(storage, workerId)).shards;

/** Those that it has recovered, and the others. */
const shardsOf = async (storage: Storage<object>, workerId: string): Promise<readonly (readonly number[])[]> => {
  const { shards, acquired } = await recordOf(storage, workerId);
  return [shards, acquired];
};

const acquire = async ({ shards }: Storage<object>, workerId: string, limit: number) => {
  const acquired = await shards.acquire(workerId, limit);
  ok(acquired !== 'fenced', `${workerId} is there`);
  return acquired;
};
/** Acquires and recovers shards. Resolves to their numbers, in ascending order. */
const take = async (storage: Storage<object>, workerId: string, limit: number): Promise<readonly number[]> => {
  const acquired = await acquire(storage, workerId, limit);
  strictEqual(await storage.deliveries.recover(workerId, acquired), 'stored');
  return acquired.map(({ shard }) => shard).toSorted((a, b) => a - b);
};

const delivery = { accountId: ours, eventId: '01900000-0000-7000-8000-000000000001', endpointId: endpoint().id };
/** Changes more than the log: a delivery is finished, which is not there. */
const change = { finished: [{ ...delivery, shard: shardOf(ours), replay: 0 }] };

/** Settles under a number, and resolves to the number that the store has then. */
const settle = async (
  storage: Storage<object>,
  workerId: string,
  number: number,
  part: Partial<Settlement> = change,
): Promise<number> => {
  ok((await storage.deliveries.settle(workerId, settlementOf({ number, ...part }), 0)) !== 'fenced');
  return (await recordOf(storage, workerId)).settlement;
};

/** What a store has of a worker, and that a watermark rests on it. */
export const recordCases: Cases<StorageFixture> = {
  'a heartbeat names the shards of the worker in ascending order: those that it has recovered, and the others': async ({
    storage,
  }) => {
    const { shards, deliveries } = storage;
    for (const id of ['first', 'second']) await shards.join(id, minute);
    deepStrictEqual(await ownedBy(storage, 'first'), []);
    const acquired = await acquire(storage, 'first', 40);
    const numbers = acquired.map(({ shard }) => shard).toSorted((a, b) => a - b);
    deepStrictEqual(await shardsOf(storage, 'first'), [[], numbers]);
    await deliveries.recover('first', acquired.toReversed());
    deepStrictEqual(await shardsOf(storage, 'first'), [numbers, []]);
    await deliveries.recover('second', acquired);
    deepStrictEqual(await ownedBy(storage, 'second'), []);
    await shards.release('first', numbers.slice(5, 25));
    deepStrictEqual(await ownedBy(storage, 'first'), [...numbers.slice(0, 5), ...numbers.slice(25)]);
    // Who owned a shard before has recovered it, and the next owner has not.
    const rest = await acquire(storage, 'second', 128);
    const free = rest.map(({ shard }) => shard).toSorted((a, b) => a - b);
    deepStrictEqual(await shardsOf(storage, 'second'), [[], free]);
    const [first] = rest;
    await deliveries.recover('second', rest.slice(0, 1));
    deepStrictEqual(await shardsOf(storage, 'second'), [
      [first?.shard],
      free.filter((shard) => shard !== first?.shard),
    ]);
    deepStrictEqual(await ownedBy(storage, 'first'), [...numbers.slice(0, 5), ...numbers.slice(25)]);
  },
  'the shards of a worker that leaves or expires belong to whoever takes them': async ({ storage, elapse }) => {
    const { shards } = storage;
    for (const id of ['leaves', 'takes']) await shards.join(id, minute);
    const left = await take(storage, 'leaves', 30);
    await shards.leave('leaves');
    deepStrictEqual(await take(storage, 'takes', 30), left);
    deepStrictEqual(await ownedBy(storage, 'takes'), left);
    await elapse(2 * minute);
    await shards.join('successor', minute);
    deepStrictEqual(await ownedBy(storage, 'successor'), []);
    deepStrictEqual(
      await take(storage, 'successor', 128),
      Array.from({ length: 128 }, (_, shard) => shard),
    );
    strictEqual((await ownedBy(storage, 'successor')).length, 128);
  },
  'a heartbeat has the number of the last settlement of the worker': async ({ storage }) => {
    for (const id of ['first', 'second']) await storage.shards.join(id, minute);
    strictEqual((await recordOf(storage, 'first')).settlement, 0);
    strictEqual(await settle(storage, 'first', 4), 4);
    strictEqual(await settle(storage, 'first', 7, { ...change, after: 4 }), 7);
    // One that comes late, and a repetition, change nothing.
    for (const late of [4, 7]) strictEqual(await settle(storage, 'first', late), 7);
    strictEqual((await recordOf(storage, 'second')).settlement, 0);
  },
  'a settlement of attempts alone may count as the last one': async ({ storage }) => {
    const attempt = (number: number) => ({ attempts: [logged({ ...delivery, replay: 0 }, number, answered(500))] });
    await storage.shards.join('first', minute);
    ok([0, 1].includes(await settle(storage, 'first', 1, attempt(1))));
    strictEqual(await settle(storage, 'first', 2), 2);
    ok([2, 3].includes(await settle(storage, 'first', 3, { ...attempt(2), after: 2 })));
    strictEqual(await settle(storage, 'first', 4, { ...change, after: 2 }), 4);
  },
  'a settlement is not the last one when one before it is missing': async ({ storage }) => {
    for (const id of ['first', 'second']) await storage.shards.join(id, minute);
    strictEqual(await settle(storage, 'first', 2, { ...change, after: 1 }), 0);
    strictEqual(await settle(storage, 'second', 3), 3);
    strictEqual(await settle(storage, 'second', 6, { ...change, after: 5 }), 3);
    strictEqual(await settle(storage, 'second', 7, { ...change, after: 6 }), 3);
  },
  'a heartbeat has the version of the last change of an endpoint': async ({ storage }) => {
    await storage.shards.join('first', minute);
    for (let endpoints = 0; endpoints < 3; endpoints++) {
      const { endpointVersion } = await storage.deliveries.readEndpoints([], 0);
      strictEqual((await recordOf(storage, 'first')).endpointVersion, endpointVersion);
      await storage.endpoints.insertEndpoint(endpoint(), 20);
    }
  },
  'a watermark is raised in no shard before the worker has recovered it': async ({ storage, storeNow }) => {
    const { shards, deliveries } = storage;
    for (const id of ['owner', 'next']) await shards.join(id, minute);
    const acquired = await acquire(storage, 'owner', 128);
    await deliveries.recover('owner', acquired.slice(1));
    const watermark = Math.floor(await storeNow());
    const numbers = acquired.map(({ shard }) => shard);
    await shards.heartbeat('owner', minute, { ...noWatermark, shards: numbers, watermark });
    await shards.leave('owner');
    const next = new Map((await acquire(storage, 'next', 128)).map((each) => [each.shard, each.watermark]));
    ok((next.get(numbers[0] ?? -1) ?? 0) < watermark);
    deepStrictEqual([...new Set(numbers.slice(1).map((shard) => next.get(shard)))], [watermark]);
  },
  'a watermark is raised only by a store that has the settlement it includes': async ({ storage, storeNow }) => {
    const { shards } = storage;
    await shards.join('owner', minute);
    const numbers = await take(storage, 'owner', 128);
    await settle(storage, 'owner', 3);
    const first = Math.floor(await storeNow());
    for (const [settlement, by] of [
      [3, 0],
      [4, 9 * second],
      [2, 5 * second],
    ] as const)
      await shards.heartbeat('owner', minute, { ...noWatermark, shards: numbers, watermark: first + by, settlement });
    await shards.leave('owner');
    await shards.join('next', minute);
    deepStrictEqual(
      [...new Set((await acquire(storage, 'next', 128)).map(({ watermark }) => watermark))],
      [first + 5 * second],
    );
  },
};
