import { deepStrictEqual, fail, ok, strictEqual } from 'node:assert';
import { hour, minute, second } from '@partnerkit/core';
import { type AcquiredShard, type ShardStore, shardCount, type WorkerMembership } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { allShards, takeShards } from '../support/acts.ts';
import { type Cases, type ContractOptions, runCases, whateverTheClocks } from '../support/contract.ts';
import { race, racers, soon } from '../support/racers.ts';
import { slack } from '../support/store-time.ts';
import { fencingCases } from './fencing.ts';
import { recordCases } from './records.ts';
import { wakingCases } from './waking.ts';

const lease = minute;
const noWatermark = { shards: [], watermark: 0, settlement: 0, isStopping: false };

const renew = (shards: ShardStore, workerId: string, time = lease) => shards.heartbeat(workerId, time, noWatermark);
const join = async (shards: ShardStore, ...workerIds: readonly string[]): Promise<void> => {
  for (const workerId of workerIds) await shards.join(workerId, lease);
};
const members = async (shards: ShardStore, workerId: string): Promise<WorkerMembership> => {
  const membership = await renew(shards, workerId);
  ok(membership !== 'fenced', `${workerId} is there`);
  return membership;
};
/** The membership without what is stored of the worker. */
const counts = async (shards: ShardStore, workerId: string): Promise<Omit<WorkerMembership, 'stored'>> => {
  const { stored: _stored, ...rest } = await members(shards, workerId);
  return rest;
};
const acquire = async (shards: ShardStore, workerId: string, limit = shardCount): Promise<readonly AcquiredShard[]> => {
  const acquired = await shards.acquire(workerId, limit);
  ok(acquired !== 'fenced', `${workerId} is there`);
  return acquired.toSorted((a, b) => a.shard - b.shard);
};
const numbers = (acquired: readonly AcquiredShard[]): readonly number[] => acquired.map(({ shard }) => shard);

const expire = async ({ storage: { shards }, elapse }: StorageFixture): Promise<void> => {
  await join(shards, 'stays', 'expires');
  await elapse(lease - slack);
  strictEqual((await members(shards, 'stays')).workers, 2);
  await elapse(slack);
  strictEqual((await members(shards, 'stays')).workers, 1);
  strictEqual(await renew(shards, 'expires'), 'fenced');
};

const cases: Cases<StorageFixture> = {
  ...whateverTheClocks('a worker whose lease expires by the clock of the store is deleted by whoever renews', expire),
  'a worker with an expired lease is deleted at the next join': async ({ storage: { shards }, elapse }) => {
    await join(shards, 'expires');
    await elapse(lease);
    await join(shards, 'joins');
    strictEqual(await renew(shards, 'expires'), 'fenced');
  },
  'a repeated join renews the lease': async ({ storage: { shards }, elapse }) => {
    await join(shards, 'joins', 'other');
    await elapse(lease - slack);
    await join(shards, 'joins');
    await elapse(slack);
    strictEqual((await members(shards, 'joins')).workers, 1);
    strictEqual((await acquire(shards, 'joins')).length, shardCount);
  },
  'an expired worker that was not deleted renews its lease, and keeps its shards': async (fixture) => {
    const { shards } = fixture.storage;
    await join(fixture.storage.shards, 'late');
    await acquire(shards, 'late', 100);
    await fixture.elapse(hour);
    deepStrictEqual(await counts(shards, 'late'), { workers: 1, freeShards: 28 });
    await join(shards, 'joins');
    strictEqual((await acquire(shards, 'joins')).length, 28);
    strictEqual((await members(shards, 'late')).workers, 2);
  },
  'a worker gets the number of workers, and the earliest expiry of another lease': async ({ storage: { shards } }) => {
    await shards.join('short', minute);
    deepStrictEqual(await counts(shards, 'short'), { workers: 1, freeShards: shardCount });
    await shards.join('long', hour);
    const { nextExpiryIn = 0, ...rest } = await counts(shards, 'long');
    deepStrictEqual(rest, { workers: 2, freeShards: shardCount });
    ok(nextExpiryIn > minute - slack && nextExpiryIn <= minute, `the other lease expires in ${nextExpiryIn} ms`);
    await shards.heartbeat('long', hour, noWatermark);
    const { nextExpiryIn: next = 0 } = await members(shards, 'short');
    ok(next > hour - slack && next <= hour, `the lease that was renewed expires in ${next} ms`);
  },
  'a stopping worker keeps its lease and shards, and is no longer counted': async ({ storage: { shards } }) => {
    await join(shards, 'stops', 'stays');
    await acquire(shards, 'stops', 100);
    strictEqual((await members(shards, 'stops')).workers, 2);
    const stopping = { ...noWatermark, isStopping: true };
    await shards.heartbeat('stops', lease, stopping);
    const { nextExpiryIn, ...rest } = await counts(shards, 'stays');
    deepStrictEqual(rest, { workers: 1, freeShards: shardCount - 100 });
    ok(nextExpiryIn !== undefined, 'its lease is still there');
    await shards.heartbeat('stops', lease, stopping);
    // A late heartbeat and a repeated join change nothing.
    await renew(shards, 'stops');
    await join(shards, 'stops');
    strictEqual((await members(shards, 'stays')).workers, 1);
    strictEqual((await acquire(shards, 'stays')).length, shardCount - 100);
    await shards.leave('stops');
    strictEqual((await members(shards, 'stays')).freeShards, 100);
  },
  'expired workers that renew at once do not wait for each other': async ({ storage: { shards }, elapse }) => {
    await join(shards, ...Array.from({ length: racers }, (_, index) => `worker-${index}`));
    await elapse(2 * lease);
    const renewed = await soon(
      race((index) => renew(shards, `worker-${index}`)),
      'all are answered',
    );
    const left = renewed.flatMap((each, index) => (each === 'fenced' ? [] : [`worker-${index}`]));
    ok(left[0] !== undefined, 'one renewed its lease');
    strictEqual((await members(shards, left[0])).workers, left.length);
  },

  'each shard has one owner after simultaneous acquisitions': async ({ storage: { shards } }) => {
    await join(shards, ...Array.from({ length: racers }, (_, index) => `worker-${index}`));
    const raced = (await race((index) => acquire(shards, `worker-${index}`, 10))).flat();
    const all = [...raced, ...(await acquire(shards, 'worker-0'))];
    deepStrictEqual(
      numbers(all).toSorted((a, b) => a - b),
      allShards,
    );
    deepStrictEqual(await acquire(shards, 'worker-1'), []);
    strictEqual((await members(shards, 'worker-1')).freeShards, 0);
  },
  'a worker acquires at most the requested number of shards': async ({ storage: { shards } }) => {
    await join(shards, 'first', 'second');
    strictEqual((await acquire(shards, 'first', 5)).length, 5);
    deepStrictEqual(await acquire(shards, 'first', 0), []);
    strictEqual((await members(shards, 'second')).freeShards, shardCount - 5);
    strictEqual((await acquire(shards, 'second')).length, shardCount - 5);
  },
  'a worker releases its own shards, and no others': async ({ storage: { shards } }) => {
    await join(shards, 'first', 'second');
    const owned = numbers(await acquire(shards, 'first'));
    await shards.release('second', owned);
    deepStrictEqual(await acquire(shards, 'second'), []);
    await shards.release('first', owned.slice(0, 40));
    deepStrictEqual(numbers(await acquire(shards, 'second')), owned.slice(0, 40));
    await shards.release('first', owned.slice(0, 40));
    deepStrictEqual(await acquire(shards, 'first'), []);
  },
  'a worker that leaves frees its shards, and is no longer a member': async ({ storage: { shards } }) => {
    await join(shards, 'leaves', 'stays');
    await acquire(shards, 'leaves', 100);
    await shards.leave('leaves');
    deepStrictEqual(await counts(shards, 'stays'), { workers: 1, freeShards: shardCount });
    strictEqual(await renew(shards, 'leaves'), 'fenced');
    deepStrictEqual(numbers(await acquire(shards, 'stays')), allShards);
  },
  'an acquired shard states whether its last owner released it or was deleted': async ({
    storage: { shards },
    elapse,
  }) => {
    const abandoned = async (workerId: string): Promise<readonly boolean[]> => [
      ...new Set((await acquire(shards, workerId)).map(({ wasAbandoned }) => wasAbandoned)),
    ];
    await join(shards, 'first');
    deepStrictEqual(await abandoned('first'), [false]);
    await elapse(2 * lease);
    await join(shards, 'second');
    deepStrictEqual(await abandoned('second'), [true]);
    await shards.release('second', allShards);
    deepStrictEqual(await abandoned('second'), [false]);
    await shards.leave('second');
    await join(shards, 'third');
    deepStrictEqual(await abandoned('third'), [false]);
  },
  'a deleted worker neither frees the shards that it owned nor takes free ones': async ({
    storage: { shards },
    elapse,
  }) => {
    await join(shards, 'expires');
    const owned = numbers(await acquire(shards, 'expires', 40));
    await elapse(2 * lease);
    await join(shards, 'stays');
    await shards.release('expires', owned.slice(0, 20));
    strictEqual(await shards.acquire('expires', shardCount), 'fenced');
    const abandoned = (await acquire(shards, 'stays')).filter(({ wasAbandoned }) => wasAbandoned);
    deepStrictEqual(numbers(abandoned), owned);
  },
  'a lease lasts to its end, by the clock of the store': async ({ storage: { shards }, elapse, storeNow }) => {
    // A case that took longer than the rest of the lease shows nothing, and is repeated.
    for (let times = 0; times < 100; times++) {
      const [short, long] = [`short-${times}`, `long-${times}`];
      const from = await storeNow();
      await shards.join(short, lease);
      await elapse(lease - 900);
      await shards.join(long, lease);
      const renewed = await renew(shards, short);
      const took = (await storeNow()) - from;
      await shards.leave(long);
      await shards.leave(short);
      if (took >= lease) continue;
      ok(renewed !== 'fenced', 'a worker is deleted before its lease ends');
      return;
    }
    fail('no attempt took less than 900 ms');
  },
  'the watermark of a shard is advanced only by its owner, and never moves back': async ({ storage, storeNow }) => {
    const { shards } = storage;
    await join(shards, 'other');
    await takeShards(storage, 'owner');
    const [first, raised, lowered] = [Math.floor(await storeNow()), 5 * second, -5 * second];
    const settle = (workerId: string, shard: number, by: number) =>
      shards.heartbeat(workerId, lease, { ...noWatermark, shards: [shard], watermark: first + by });
    for (const by of [0, raised, lowered]) await settle('owner', 7, by);
    await settle('owner', 9, 0);
    await settle('other', 9, raised);
    await shards.leave('owner');
    const acquired = await acquire(shards, 'other');
    const watermark = (shard: number): number => acquired[shard]?.watermark ?? 0;
    deepStrictEqual([watermark(7), watermark(9)], [first + raised, first]);
    ok(watermark(8) < first, 'a shard without a watermark stays as it was');
  },

  ...recordCases,
  ...fencingCases,
  ...wakingCases,
};

/**
 * Tests the obligations of a `ShardStore`: one owner per shard, leases, watermarks, wake signals. A worker without a
 * row changes nothing, through any port.
 */
export const shardStoreContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
