import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { second } from '../../../../src/base/runtime/time.ts';
import { shardCount } from '../../../../src/webhooks/shards/shard.ts';
import type { AcquiredShard, WorkerMembership, WorkerRecord } from '../../../../src/webhooks/shards/shard-store.ts';
import { acquire, heartbeat, join, leave, recover, release } from '../../../../src/webhooks/worker/steps/membership.ts';
import type { StepContext } from '../../../../src/webhooks/worker/steps/step.ts';
import { testClock } from '../../../support/clock.ts';
import { historyRuns } from '../../../support/runs.ts';
import { nothingStored, type StoreChanges, stepWorld, workerMemory, workerStores } from '../../../support/worker.ts';

/** What a store has of the worker of `beat`. */
const kept: WorkerRecord = { ...nothingStored, shards: [3] };
const alone: WorkerMembership = { workers: 1, freeShards: 0, stored: kept };
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
    expect(inputs).toEqual([['w', 20_000, { shards: [], watermark: 0, settlement: 0, isStopping: false }]]);
    expect(result).toEqual({ did: 1, nextIn: 2 * second });
    expect(memory.shards.leaseLeft()).toBe(20 * second);
  });

  test('stores the watermark of the served shards only when it is asked to', async () => {
    const { inputs } = await beat(async () => alone, { withWatermark: true, isStopping: true });
    expect(inputs).toEqual([['w', 20_000, { shards: [3], watermark: 77, settlement: 0, isStopping: true }]]);
  });

  test('counts the lease from when the call was sent, however late its answer', async () => {
    const answer = Promise.withResolvers<WorkerMembership>();
    const { context, memory, clock } = stepWorld({ shards: { heartbeat: () => answer.promise } });
    const beating = heartbeat(context, still);
    await clock.advance(12 * second);
    expect(memory.shards.leaseLeft()).toBeLessThan(0);
    answer.resolve({ ...alone, stored: nothingStored });
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
    const { result } = await beat(async () => ({ ...alone, workers: 2, nextExpiryIn }));
    expect(result).toEqual({ did: 1, nextIn });
  });

  test('tells how many shards the worker wants', async () => {
    const { memory } = await beat(async () => ({ ...alone, workers: 2, freeShards: 128 }));
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

describe('a store that lost what it had confirmed', () => {
  /** A worker that serves 3 and 5, is leaving 8, and has settled; its heartbeat is sent and not answered. */
  const beating = async (change: StoreChanges = {}) => {
    const answer = Promise.withResolvers<WorkerMembership>();
    const made = stepWorld({ ...change, shards: { ...change.shards, heartbeat: () => answer.promise } });
    const { context, memory } = made;
    memory.shards.add([8, 5, 3].map(shard).toReversed());
    memory.serve();
    memory.leave(1);
    const settle = (): void => {
      memory.queueKey({ shard: 3, accountId: 'acc', eventId: 'e', endpointId: 'one', replay: 0 });
      memory.unsettled.batch();
      memory.settled(true);
    };
    settle();
    settle();
    memory.accounts.observe({ now: 0, endpointVersion: 6, changedShards: [], hasIncludeChildren: false });
    const beats = heartbeat(context, still);
    /** Answers with what the store has; without a change, that is what it confirmed. */
    const finish = (stored: Partial<WorkerRecord> = {}) => {
      answer.resolve({
        ...alone,
        stored: { shards: [3, 5, 8], acquired: [], settlement: 2, endpointVersion: 6, ...stored },
      });
      return beats;
    };
    return { ...made, settle, finish };
  };
  const isLost = async (stored: Partial<WorkerRecord>): Promise<boolean> => {
    const { finish, errors } = await beating();
    const result = await finish(stored);
    expect(errors).toEqual(result === 'lost' ? [['heartbeat', expect.objectContaining({ name: 'CommitsLost' })]] : []);
    return result === 'lost';
  };

  test.each<[string, Partial<WorkerRecord>, boolean]>([
    ['has all of it', {}, false],
    ['has later settlements and changes of endpoints', { settlement: 3, endpointVersion: 7 }, false],
    ['lacks a shard', { shards: [3, 5] }, true],
    ['has a shard that was released', { shards: [3, 4, 5, 8] }, true],
    ['has another shard', { shards: [3, 5, 9] }, true],
    ['has none of the shards', { shards: [] }, true],
    ['has not recovered a shard', { shards: [3, 5], acquired: [8] }, true],
    ['has a shard more that is not recovered', { acquired: [4] }, true],
    ['lacks a settlement', { settlement: 1 }, true],
    ['lacks a change of an endpoint', { endpointVersion: 5 }, true],
  ])('%s', async (_what, stored, expected) => {
    expect(await isLost(stored)).toBe(expected);
  });

  test('acquired shards are compared before they are recovered, too', async () => {
    const beatWith = async (acquired: readonly number[]) => {
      const { context, memory } = stepWorld({
        shards: { heartbeat: async () => ({ ...alone, stored: { ...nothingStored, acquired } }) },
      });
      memory.shards.add([shard(9), shard(4)]);
      return heartbeat(context, still);
    };
    expect(await beatWith([4, 9])).toMatchObject({ did: 1 });
    expect([await beatWith([]), await beatWith([4])]).toEqual(['lost', 'lost']);
  });

  test('what was confirmed after the heartbeat was sent may be missing in its answer', async () => {
    const { memory, settle, finish } = await beating();
    settle();
    memory.accounts.observe({ now: 0, endpointVersion: 9, changedShards: [], hasIncludeChildren: false });
    expect(await finish()).toMatchObject({ did: 1 });
  });

  test('a session that has ended compares nothing: it leaves', async () => {
    const { context, memory, errors } = stepWorld(
      { shards: { heartbeat: async () => ({ ...alone, stored: nothingStored }) } },
      { ended: AbortSignal.abort() },
    );
    memory.shards.add([shard(3)]);
    memory.serve();
    expect([await heartbeat(context, still), errors]).toEqual([{ did: 1, nextIn: 2 * second }, []]);
  });

  describe('shards are not compared', () => {
    const others = { shards: [1, 2] };
    const fits = async ({ finish }: Awaited<ReturnType<typeof beating>>) =>
      expect(await finish(others)).toMatchObject({ did: 1 });

    test('while they are released', async () => {
      const gate = Promise.withResolvers<void>();
      const made = await beating({ shards: { release: () => gate.promise } });
      const releasing = release(made.context);
      await fits(made);
      gate.resolve();
      await releasing;
    });

    test('that were released meanwhile', async () => {
      const made = await beating({ shards: { release: async () => undefined } });
      expect(await release(made.context)).toEqual({ did: 1 });
      await fits(made);
    });

    test('while they are recovered', async () => {
      const gate = Promise.withResolvers<'stored'>();
      const made = await beating({ deliveries: { recover: () => gate.promise } });
      made.memory.shards.add([shard(9)]);
      const recovering = recover(made.context);
      await fits(made);
      gate.resolve('stored');
      await recovering;
    });

    test('that were recovered meanwhile', async () => {
      const made = await beating({ deliveries: { recover: async () => 'stored' } });
      made.memory.shards.add([shard(9)]);
      expect(await recover(made.context)).toEqual({ did: 1 });
      await fits(made);
    });

    test('after a release or a recovery that failed, until the one that failed is repeated', async () => {
      let isDown = true;
      const answer = async <T>(value: T): Promise<T> => (isDown ? down() : value);
      const { context, memory } = stepWorld({
        shards: { heartbeat: async () => ({ ...alone, stored: nothingStored }), release: () => answer(undefined) },
        deliveries: { recover: () => answer('stored') },
      });
      memory.shards.add([3, 5].map(shard));
      memory.serve();
      memory.leave(1);
      memory.shards.add([shard(9)]);
      const beat = () => heartbeat(context, still);
      expect([await recover(context), await release(context)]).toEqual(['unavailable', 'unavailable']);
      expect(await beat()).toMatchObject({ did: 1 });
      isDown = false;
      await release(context);
      expect(await beat()).toMatchObject({ did: 1 });
      await recover(context);
      expect(await beat()).toBe('lost');
    });

    test('while they are acquired, and when they were acquired meanwhile', async () => {
      const gate = Promise.withResolvers<readonly AcquiredShard[]>();
      for (const isBefore of [false, true]) {
        const made = await beating({ shards: { acquire: () => gate.promise } });
        made.memory.shards.note({ ...alone, freeShards: 1 });
        const acquiring = acquire(made.context);
        if (isBefore) await acquiring;
        await fits(made);
        gate.resolve([shard(9)]);
        await acquiring;
      }
    });
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
  const note = (workers: number, freeShards: number) =>
    made.memory.shards.note({ workers, freeShards, stored: nothingStored });
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
