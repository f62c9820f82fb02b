import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import {
  type AcquiredShard,
  hour,
  type Membership,
  minute,
  type ShardStore,
  second,
  shardCount,
} from '@partnerkit/core';
import { allShards } from './acts.ts';
import { type Cases, type ContractOptions, runCases, whateverTheClocks } from './contract.ts';
import { fencingCases } from './fencing.ts';
import { race, racers, soon } from './racers.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { slack } from './store-time.ts';
import { wakingCases } from './waking.ts';

const lease = minute;
const noMark = { shards: [], settledTo: 0, isStopping: false };

const renew = (shards: ShardStore, workerId: string, time = lease) => shards.heartbeat(workerId, time, noMark);
const join = async (shards: ShardStore, ...workerIds: readonly string[]): Promise<void> => {
  for (const workerId of workerIds) await shards.join(workerId, lease);
};
const members = async (shards: ShardStore, workerId: string): Promise<Membership> => {
  const membership = await renew(shards, workerId);
  ok(membership !== 'fenced', `${workerId} is there`);
  return membership;
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
  'a worker that lets its lease expire is deleted by whoever joins': async ({ storage: { shards }, elapse }) => {
    await join(shards, 'expires');
    await elapse(lease);
    await join(shards, 'joins');
    strictEqual(await renew(shards, 'expires'), 'fenced');
  },
  'a worker that joins again, because the answer was lost, has its lease from then on': async ({
    storage: { shards },
    elapse,
  }) => {
    await join(shards, 'joins', 'other');
    await elapse(lease - slack);
    await join(shards, 'joins');
    await elapse(slack);
    strictEqual((await members(shards, 'joins')).workers, 1);
    strictEqual((await acquire(shards, 'joins')).length, shardCount);
  },
  'a worker that expired but was not deleted renews its lease, and keeps its shards': async (fixture) => {
    const { shards } = fixture.storage;
    await join(fixture.storage.shards, 'late');
    await acquire(shards, 'late', 100);
    await fixture.elapse(hour);
    deepStrictEqual(await renew(shards, 'late'), { workers: 1, freeShards: 28 });
    await join(shards, 'joins');
    strictEqual((await acquire(shards, 'joins')).length, 28);
    strictEqual((await members(shards, 'late')).workers, 2);
  },
  'a worker is told how many there are, and when the first lease of another expires': async ({
    storage: { shards },
  }) => {
    await shards.join('short', minute);
    deepStrictEqual(await renew(shards, 'short'), { workers: 1, freeShards: shardCount });
    await shards.join('long', hour);
    const { nextExpiryIn = 0, ...told } = await members(shards, 'long');
    deepStrictEqual(told, { workers: 2, freeShards: shardCount });
    ok(nextExpiryIn > minute - slack && nextExpiryIn <= minute, `the other lease expires in ${nextExpiryIn} ms`);
    await shards.heartbeat('long', hour, noMark);
    const { nextExpiryIn: next = 0 } = await members(shards, 'short');
    ok(next > hour - slack && next <= hour, `the lease that was renewed expires in ${next} ms`);
  },
  'a worker that is stopping keeps its lease and shards, and is no longer counted': async ({ storage: { shards } }) => {
    await join(shards, 'stops', 'stays');
    await acquire(shards, 'stops', 100);
    strictEqual((await members(shards, 'stops')).workers, 2);
    const stopping = { ...noMark, isStopping: true };
    await shards.heartbeat('stops', lease, stopping);
    const { nextExpiryIn, ...told } = await members(shards, 'stays');
    deepStrictEqual(told, { workers: 1, freeShards: shardCount - 100 });
    ok(nextExpiryIn !== undefined, 'its lease is still there');
    await shards.heartbeat('stops', lease, stopping);
    // An earlier heartbeat that comes late, and a join that is made again, change nothing.
    await renew(shards, 'stops');
    await join(shards, 'stops');
    strictEqual((await members(shards, 'stays')).workers, 1);
    strictEqual((await acquire(shards, 'stays')).length, shardCount - 100);
    await shards.leave('stops');
    strictEqual((await members(shards, 'stays')).freeShards, 100);
  },
  'of many expired workers that renew at once none waits for another': async ({ storage: { shards }, elapse }) => {
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

  'of many workers that acquire at once each shard has one owner': async ({ storage: { shards } }) => {
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
  'a worker acquires no more shards than it asks for': async ({ storage: { shards } }) => {
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
  'a worker that leaves frees its shards, and is a member no more': async ({ storage: { shards } }) => {
    await join(shards, 'leaves', 'stays');
    await acquire(shards, 'leaves', 100);
    await shards.leave('leaves');
    deepStrictEqual(await renew(shards, 'stays'), { workers: 1, freeShards: shardCount });
    strictEqual(await renew(shards, 'leaves'), 'fenced');
    deepStrictEqual(numbers(await acquire(shards, 'stays')), allShards);
  },
  'a shard says whether its last owner released it, or was deleted': async ({ storage: { shards }, elapse }) => {
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
  'the mark of a shard is raised by its owner alone, and never lowered': async ({ storage: { shards }, storeNow }) => {
    await join(shards, 'owner', 'other');
    await acquire(shards, 'owner');
    const [marked, raised, lowered] = [Math.floor(await storeNow()), 5 * second, -5 * second];
    const mark = (workerId: string, shard: number, by: number) =>
      shards.heartbeat(workerId, lease, { ...noMark, shards: [shard], settledTo: marked + by });
    for (const by of [0, raised, lowered]) await mark('owner', 7, by);
    await mark('owner', 9, 0);
    await mark('other', 9, raised);
    await shards.leave('owner');
    const acquired = await acquire(shards, 'other');
    const settledTo = (shard: number): number => acquired[shard]?.settledTo ?? 0;
    deepStrictEqual([settledTo(7), settledTo(9)], [marked + raised, marked]);
    ok(settledTo(8) < marked, 'a shard that nobody marked stays as it was');
  },

  ...fencingCases,
  ...wakingCases,
};

/**
 * Holds a `ShardStore` to its obligations: one owner of each shard, leases, marks, waking; and that a worker whose row is gone changes
 * nothing, by whichever port.
 * @example
 * // `create` as {@link StorageFixture} shows it.
 * shardStoreContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const shardStoreContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
