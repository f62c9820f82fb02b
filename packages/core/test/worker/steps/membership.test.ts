import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { second } from '../../../src/runtime/time.ts';
import { shardCount } from '../../../src/shards/shard.ts';
import type { AcquiredShard, WorkerMembership } from '../../../src/shards/shard-store.ts';
import { acquire, heartbeat, join, leave, recover, release } from '../../../src/worker/steps/membership.ts';
import type { StepContext } from '../../../src/worker/steps/step.ts';
import { testClock } from '../../support/clock.ts';
import { historyRuns } from '../../support/runs.ts';
import { type StoreChanges, stepWorld, workerMemory, workerStores } from '../../support/worker.ts';

const alone: WorkerMembership = { workers: 1, freeShards: 0 };
const cause = new Error('down');
const down = (): Promise<never> => Promise.reject(cause);
const shard = (number: number): AcquiredShard => ({ shard: number, watermark: 0, wasAbandoned: false });
const still = { withWatermark: false, isStopping: false };

describe('join', () => {
  test('begins the lease, which counts from when the call was sent', async () => {
    const { context, memory, clock } = stepWorld({
      shards: {
        join: async (workerId, lease) => {
          expect([workerId, lease]).toEqual(['w', 20_000]);
          clock.set(clock.now() + 3 * second);
        },
      },
    });
    expect(memory.shards.leaseLeft()).toBeLessThan(0);
    expect(await join(context)).toEqual({ did: 1 });
    expect(memory.shards.leaseLeft()).toBe(17 * second);
  });

  test('begins none when the storage fails', async () => {
    const { context, memory, errors } = stepWorld({ shards: { join: down } });
    expect(await join(context)).toBe('unavailable');
    expect([memory.shards.leaseLeft(), errors]).toEqual([Number.NEGATIVE_INFINITY, [['heartbeat', cause]]]);
  });
});

describe('heartbeat', () => {
  /** Renews the lease once, with a store that answers as told. */
  const beat = async (
    answer: () => Promise<WorkerMembership | 'fenced'>,
    options: Parameters<typeof heartbeat>[1] = still,
  ) => {
    const inputs: unknown[] = [];
    const made = stepWorld({
      shards: {
        heartbeat: (...input) => {
          inputs.push(input);
          return answer();
        },
      },
    });
    made.memory.shards.renewed(made.clock.now());
    made.memory.shards.add([shard(3)]);
    made.memory.serve();
    made.memory.watermark.observe(77);
    made.clock.set(made.clock.now() + 2 * second);
    return { ...made, inputs, result: await heartbeat(made.context, options) };
  };

  test('golden: renews a lease of 20 seconds; the next one is due after a tenth of it', async () => {
    const { inputs, result, memory } = await beat(async () => alone);
    expect(inputs).toEqual([['w', 20_000, { shards: [], watermark: 0, isStopping: false }]]);
    expect(result).toEqual({ did: 1, nextIn: 2 * second });
    expect(memory.shards.leaseLeft()).toBe(20 * second);
  });

  test('stores the watermark of the served shards only when it is asked to', async () => {
    const { inputs } = await beat(async () => alone, { withWatermark: true, isStopping: true });
    expect(inputs).toEqual([['w', 20_000, { shards: [3], watermark: 77, isStopping: true }]]);
  });

  test('counts the lease from when the call was sent, however late its answer', async () => {
    const answer = Promise.withResolvers<WorkerMembership>();
    const { context, memory, clock } = stepWorld({ shards: { heartbeat: () => answer.promise } });
    const beating = heartbeat(context, still);
    await clock.advance(12 * second);
    expect(memory.shards.leaseLeft()).toBeLessThan(0);
    answer.resolve(alone);
    await beating;
    expect(memory.shards.leaseLeft()).toBe(8 * second);
  });

  test.each([
    [1_500, 1_510],
    [1_990, 2_000],
    [60_000, 2_000],
    // A lease that ended long ago does not make it a busy loop.
    [-60_000, 1],
  ])('when the lease of another worker ends in %i ms, the next one is due in %i ms', async (nextExpiryIn, nextIn) => {
    const { result } = await beat(async () => ({ workers: 2, freeShards: 0, nextExpiryIn }));
    expect(result).toEqual({ did: 1, nextIn });
  });

  test('tells how many shards the worker wants', async () => {
    const { memory } = await beat(async () => ({ workers: 2, freeShards: 128 }));
    expect(memory.shards.wanted()).toBe(63);
  });

  test('renews nothing when the storage fails, or the row of the worker was deleted', async () => {
    const failed = await beat(down);
    expect([failed.result, failed.memory.shards.leaseLeft()]).toEqual(['unavailable', 18 * second]);
    expect(failed.errors).toEqual([['heartbeat', cause]]);
    const fenced = await beat(async () => 'fenced');
    expect([fenced.result, fenced.memory.shards.leaseLeft(), fenced.errors]).toEqual(['fenced', 18 * second, []]);
  });
});

/** A worker whose store hands out shards from 0, unless told otherwise; `calls` tells how many shards each call had. */
const ownerWorld = (change: StoreChanges = {}) => {
  const calls: string[] = [];
  let handedOut = 0;
  const made = stepWorld({
    shards: {
      acquire: async (workerId, limit) => {
        calls.push(`acquire ${limit}`);
        const acquired = Array.from({ length: limit }, () => shard(handedOut++));
        return change.shards?.acquire?.(workerId, limit) ?? acquired;
      },
      release: async (workerId, shards) => {
        calls.push(`release ${shards.length}`);
        return change.shards?.release?.(workerId, shards);
      },
    },
    deliveries: {
      recover: async (workerId, shards) => {
        calls.push(`recover ${shards.length}`);
        return change.deliveries?.recover?.(workerId, shards) ?? 'stored';
      },
    },
  });
  const note = (workers: number, freeShards: number) => made.memory.shards.note({ workers, freeShards });
  return { ...made, calls, note };
};

describe('acquire', () => {
  test('takes the share of the worker; with nothing to take, the store is not called', async () => {
    const { context, memory, calls, note } = ownerWorld();
    note(2, 128);
    expect(await acquire(context)).toEqual({ did: 64 });
    expect([memory.shards.acquired().length, memory.shards.served()]).toEqual([64, []]);
    expect(await acquire(context)).toEqual({ did: 0 });
    expect(calls).toEqual(['acquire 64']);
  });

  test('leaves the shards above the share of the worker', async () => {
    const { context, memory, calls, note } = ownerWorld();
    memory.shards.add([3, 5, 8].map(shard));
    memory.serve();
    note(64, 0);
    expect(await acquire(context)).toEqual({ did: 0 });
    expect([memory.shards.served(), memory.shards.releasable(), calls]).toEqual([[3, 5], [8], []]);
  });

  test('that fails is lost: it is unknown which shards were acquired', async () => {
    const { context, memory, errors, note } = ownerWorld({ shards: { acquire: down } });
    note(1, 128);
    expect(await acquire(context)).toBe('lost');
    expect([memory.shards.acquired(), errors]).toEqual([[], [['acquire', cause]]]);
  });

  test('of a worker whose row was deleted is fenced', async () => {
    const { context, memory, note } = ownerWorld({ shards: { acquire: async () => 'fenced' } });
    note(1, 128);
    expect([await acquire(context), memory.shards.acquired()]).toEqual(['fenced', []]);
  });
});

describe('recover', () => {
  test('serves acquired shards, which are recovered once; a recovery that failed is repeated', async () => {
    let isDown = true;
    const { context, memory, calls, errors } = ownerWorld({
      deliveries: { recover: async () => (isDown ? down() : 'stored') },
    });
    memory.shards.add([shard(3), shard(5)]);
    expect([await recover(context), memory.shards.served()]).toEqual(['unavailable', []]);
    isDown = false;
    expect([await recover(context), memory.shards.served()]).toEqual([{ did: 2 }, [3, 5]]);
    expect(await recover(context)).toEqual({ did: 0 });
    expect([calls, errors]).toEqual([['recover 2', 'recover 2'], [['acquire', cause]]]);
  });

  test('of a worker whose row was deleted serves nothing', async () => {
    const { context, memory } = ownerWorld({ deliveries: { recover: async () => 'fenced' } });
    memory.shards.add([shard(3)]);
    expect([await recover(context), memory.shards.served()]).toEqual(['fenced', []]);
  });
});

describe('release', () => {
  test('frees the shards that were left and are not in use; one that failed is repeated', async () => {
    let isDown = true;
    const { context, memory, calls, errors } = ownerWorld({
      shards: { release: async () => (isDown ? down() : undefined) },
    });
    memory.shards.add([3, 5, 8].map(shard));
    memory.serve();
    memory.shards.use(5);
    memory.leave(2);
    expect([await release(context), errors]).toEqual(['unavailable', [['release', cause]]]);
    isDown = false;
    expect([await release(context), await release(context)]).toEqual([{ did: 1 }, { did: 0 }]);
    memory.shards.unuse(5);
    expect(await release(context)).toEqual({ did: 1 });
    expect(calls).toEqual(['release 1', 'release 1', 'release 1']);
  });
});

test('while workers join and leave, every shard has one owner, and no worker has more than its share', async () => {
  const step = fc.record({ act: fc.constantFrom('join', 'leave', 'balance', 'balance'), which: fc.nat() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (acts) => {
      const clock = testClock();
      const stores = workerStores(clock);
      const workers: StepContext[] = [];
      let ids = 0;
      const add = async (): Promise<void> => {
        const { context } = stepWorld({}, { workerId: `w${ids++}`, stores, memory: workerMemory({ now: clock.now }) });
        expect(await join(context)).toEqual({ did: 1 });
        workers.push(context);
      };
      const balance = async (context: StepContext): Promise<void> => {
        const results = [
          await heartbeat(context, still),
          await acquire(context),
          await recover(context),
          await release(context),
        ];
        expect(results.filter((result) => typeof result === 'string')).toEqual([]);
      };
      const served = (): readonly (readonly number[])[] => workers.map(({ memory }) => memory.shards.served());
      const assertServedOnce = (): void => expect(new Set(served().flat()).size).toBe(served().flat().length);
      await add();
      for (const { act, which } of acts) {
        const context = workers[which % workers.length] as StepContext;
        if (act === 'join') await add();
        else if (act === 'balance') await balance(context);
        else if (workers.length > 1) {
          workers.splice(workers.indexOf(context), 1);
          expect(await leave(context)).toEqual({ did: 1 });
        }
        assertServedOnce();
      }
      // Some give back in the first round what others take in the second.
      for (let round = 0; round < 2; round++) for (const context of workers) await balance(context);
      assertServedOnce();
      expect(served().flat()).toHaveLength(shardCount);
      const largest = Math.max(...served().map(({ length }) => length));
      expect(largest).toBeLessThanOrEqual(Math.ceil(shardCount / workers.length));
    }),
    historyRuns,
  );
});
