import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shardCount } from '../../../src/delivery-ports/shard.ts';
import type { AcquiredShard } from '../../../src/delivery-ports/shard-store.ts';
import { memoryStorage } from '../../../src/memory/storage.ts';
import { minute } from '../../../src/runtime/time.ts';
import { createOwnership, type OwnershipDeps } from '../../../src/worker/ownership.ts';
import { createWorkerErrors } from '../../../src/worker/worker-errors.ts';
import { testClock } from '../../support/clock.ts';
import { historyRuns } from '../../support/runs.ts';

const acquired = (shard: number): AcquiredShard => ({ shard, settledTo: 0, wasAbandoned: false });

/** Ownership over a store that hands out shards from 0, unless the test says otherwise. */
const world = (deps: Partial<OwnershipDeps> = {}) => {
  const calls: string[] = [];
  const inUse = new Set<number>();
  let handedOut = 0;
  const store = {
    acquire: async (_workerId: string, limit: number): Promise<readonly AcquiredShard[] | 'fenced'> =>
      Array.from({ length: limit }, () => acquired(handedOut++)),
    recover: async (): Promise<'stored' | 'fenced'> => 'stored',
    release: async (): Promise<void> => undefined,
  };
  const ownership = createOwnership({
    workerId: 'w',
    errors: createWorkerErrors(
      ({ kind, ...rest }) => calls.push(`${kind} ${'during' in rest ? rest.during : ''}`),
      () => undefined,
    ),
    shards: {
      acquire: async (workerId, limit) => {
        calls.push(`acquire ${limit}`);
        return store.acquire(workerId, limit);
      },
      release: async (_workerId, shards) => {
        calls.push(`release ${shards.length}`);
        return store.release();
      },
    },
    deliveries: {
      recover: async (_workerId, shards) => {
        calls.push(`recover ${shards.length}`);
        return store.recover();
      },
    },
    takesAll: false,
    isInUse: (shard) => inUse.has(shard),
    onServed: (shards) => calls.push(`served ${shards.length}`),
    onLeaving: (shards) => calls.push(`leaving ${shards.size}`),
    onFenced: () => calls.push('fenced'),
    onUncertain: () => calls.push('uncertain'),
    ...deps,
  });
  /** What a balance does, after the store has told of this many workers and free shards. */
  const balance = async (workers?: number, freeShards = shardCount): Promise<readonly string[]> => {
    if (workers !== undefined) ownership.note({ workers, freeShards });
    calls.length = 0;
    await ownership.balance();
    return [...calls];
  };
  return { ownership, store, inUse, balance };
};

describe('taking shards', () => {
  test.each([
    [1, 128],
    [2, 64],
    [3, 43],
    [200, 1],
  ])('of %i workers each takes %i, and serves them once they are recovered', async (workers, share) => {
    const { ownership, balance } = world();
    expect(await balance(workers)).toEqual([`acquire ${share}`, `recover ${share}`, `served ${share}`]);
    expect(ownership.served()).toHaveLength(share);
    expect(await balance()).toEqual([]);
    expect(await balance(workers)).toEqual([]);
  });

  test('with takesAll, all free shards are acquired', async () => {
    const { balance } = world({ takesAll: true });
    expect(await balance(3)).toContain('served 128');
  });

  test('the store is not called while no shard is free', async () => {
    const { balance } = world();
    expect(await balance(2, 0)).toEqual([]);
  });

  test('a shard is not served before it is recovered; a failed recovery is repeated', async () => {
    const { ownership, store, balance } = world();
    store.recover = () => Promise.reject(new Error('down'));
    expect(await balance(2)).toEqual(['acquire 64', 'recover 64', 'worker_error acquire']);
    expect(ownership.served()).toEqual([]);
    // It owns them all the same.
    expect(await balance(2)).toEqual(['recover 64', 'worker_error acquire']);
    store.recover = async () => 'stored';
    expect(await balance()).toEqual(['recover 64', 'served 64']);
  });

  test('a fenced worker serves nothing', async () => {
    const { ownership, store, balance } = world();
    store.recover = async () => 'fenced';
    expect(await balance(2)).toEqual(['acquire 64', 'recover 64', 'fenced']);
    const other = world();
    other.store.acquire = async () => 'fenced';
    expect(await other.balance(2)).toEqual(['acquire 64', 'fenced']);
    expect([...ownership.served(), ...other.ownership.served()]).toEqual([]);
  });

  test('when acquire fails, it is unknown which shards were acquired', async () => {
    const { store, balance } = world();
    store.acquire = () => Promise.reject(new Error('answer lost'));
    expect(await balance(1)).toEqual(['acquire 128', 'worker_error acquire', 'uncertain']);
  });
});

describe('releasing shards', () => {
  test('shards above its share are no longer served, and released at once', async () => {
    const { ownership, balance } = world();
    await balance(1);
    expect(await balance(2, 0)).toEqual(['leaving 64', 'release 64']);
    expect(ownership.served()).toHaveLength(64);
  });

  test('a shard with deliveries in flight, or not stored, is released after them', async () => {
    const { ownership, inUse, balance } = world();
    await balance(1);
    for (const shard of ownership.served()) inUse.add(shard);
    expect(await balance(2, 0)).toEqual(['leaving 64']);
    const left = [...inUse].filter((shard) => !ownership.served().includes(shard));
    for (const shard of left.slice(1)) inUse.delete(shard);
    expect(await balance()).toEqual(['release 63']);
    inUse.clear();
    expect(await balance()).toEqual(['release 1']);
    expect(await balance()).toEqual([]);
  });

  test('a release that failed is repeated', async () => {
    const { store, balance } = world();
    await balance(1);
    store.release = () => Promise.reject(new Error('down'));
    expect(await balance(2, 0)).toEqual(['leaving 64', 'release 64', 'worker_error release']);
    store.release = async () => undefined;
    expect(await balance()).toEqual(['release 64']);
  });

  test('none are acquired while it is unknown whether a release took effect: it could get and lose the same', async () => {
    const { store, balance } = world();
    await balance(2);
    store.release = () => Promise.reject(new Error('answer lost'));
    expect(await balance(4, 0)).toEqual(['leaving 32', 'release 32', 'worker_error release']);
    // Of 128, it has 64, of which 32 may be free: there would be room for 64 more.
    expect(await balance(1, 96)).toEqual(['release 32', 'worker_error release']);
    store.release = async () => undefined;
    expect(await balance(1, 96)).toEqual(['release 32']);
    expect(await balance(1, 96)).toEqual(['acquire 96', 'recover 96', 'served 96']);
  });

  test('shards being released count: no others are acquired in their place', async () => {
    const { ownership, inUse, balance } = world();
    await balance(1);
    for (const shard of ownership.served()) inUse.add(shard);
    await balance(4, 0);
    expect(await balance(2, 64)).toEqual([]);
  });
});

test('while workers join and leave, every shard has one owner, and no worker has more than its share', async () => {
  const step = fc.record({ act: fc.constantFrom('come', 'go', 'balance', 'balance'), which: fc.nat() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { shards, deliveries } = memoryStorage({ clock: testClock() });
      type Member = { readonly id: string; readonly ownership: ReturnType<typeof createOwnership> };
      const members: Member[] = [];
      let ids = 0;
      const come = async (): Promise<void> => {
        const id = `w${ids++}`;
        await shards.join(id, minute);
        const errors = createWorkerErrors(undefined, (cause) => {
          throw cause;
        });
        const none = (): void => undefined;
        const fail = (): void => expect.unreachable();
        const ownership = createOwnership({
          ...{ shards, deliveries, workerId: id, errors, takesAll: false, isInUse: () => false },
          ...{ onServed: none, onLeaving: none, onFenced: fail, onUncertain: fail },
        });
        members.push({ id, ownership });
      };
      const balance = async ({ id, ownership }: Member): Promise<void> => {
        const told = await shards.heartbeat(id, minute, { shards: [], settledTo: 0, isStopping: false });
        if (told !== 'fenced') ownership.note(told);
        await ownership.balance();
      };
      const assertServedOnce = (): void => {
        const served = members.flatMap(({ ownership }) => ownership.served());
        expect(new Set(served).size).toBe(served.length);
      };
      await come();
      for (const { act, which } of steps) {
        const member = members[which % members.length] as Member;
        if (act === 'come') await come();
        else if (act === 'balance') await balance(member);
        else if (members.length > 1) {
          members.splice(members.indexOf(member), 1);
          await shards.leave(member.id);
        }
        assertServedOnce();
      }
      // Some give back in the first round what others take in the second.
      for (let round = 0; round < 2; round++) for (const member of members) await balance(member);
      assertServedOnce();
      const counts = members.map(({ ownership }) => ownership.served().length);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(shardCount);
      expect(Math.max(...counts)).toBeLessThanOrEqual(Math.ceil(shardCount / members.length));
    }),
    historyRuns,
  );
});
