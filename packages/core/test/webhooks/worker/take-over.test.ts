import { afterEach, describe, expect, test } from 'vitest';
import { minute, second } from '../../../src/base/runtime/time.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { MemoryTransaction } from '../../../src/stores/rows/memory/memory-rows.ts';
import type { Storage } from '../../../src/stores/storage/storage.ts';
import { shardOf } from '../../../src/webhooks/shards/shard.ts';
import { type Engine, engine } from '../../../src/webhooks/worker/engine.ts';
import { settled, testClock } from '../../support/clock.ts';
import {
  deliveriesOf,
  idOf,
  outcomesOf,
  publish,
  runningWorkers,
  statesOf,
  subscribe,
} from '../../support/deliveries.ts';
import { anyAccount, platform, provenEngine } from '../../support/kit.ts';
import { seededRandom, withoutJitter } from '../../support/random.ts';
import { heldSender } from '../../support/sender.ts';

const workers = runningWorkers();
const paused = new Set<() => void>();
afterEach(async () => {
  // Even what died must end here.
  for (const resume of paused) resume();
  paused.clear();
  await workers.stop();
});

const lease = 20 * second;

/**
 * A storage as a process sees it that may stand still, as one that was killed or is paused: its calls are made when it
 * goes on.
 */
const pausable = (storage: Storage<MemoryTransaction>) => {
  let goesOn = Promise.withResolvers<void>();
  goesOn.resolve();
  const calls: string[] = [];
  const wrap = <P extends object>(port: P): P =>
    Object.fromEntries(
      Object.entries(port).map(([name, call]) => [
        name,
        async (...args: readonly unknown[]) => {
          await goesOn.promise;
          calls.push(name);
          return call(...args);
        },
      ]),
    ) as P;
  return {
    storage: { ...storage, shards: wrap(storage.shards), deliveries: wrap(storage.deliveries) },
    calls,
    pause: () => {
      goesOn = Promise.withResolvers<void>();
      paused.add(goesOn.resolve);
    },
    resume: () => goesOn.resolve(),
  };
};

/**
 * Two processes over one storage. The first can be paused, for ever too, and its receivers answer when they are told
 * to.
 */
const world = (ofSecond: Engine = engine) => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const process = pausable(storage);
  const first = platform({
    accounts: anyAccount,
    clock,
    storage: process.storage,
    sender: heldSender(),
    random: withoutJitter(),
  });
  const second_ = platform({ engine: ofSecond, clock, storage, sender: heldSender(), random: withoutJitter(2) });
  return { clock, process, first, second: second_ };
};

test('a worker whose lease is over prunes nothing: outcomes of its attempts may not be stored yet', async () => {
  const { clock, process, first } = world();
  let pruned = 0;
  const log = {
    ...process.storage.log,
    prune: async (...args: Parameters<typeof process.storage.log.prune>) => {
      pruned += 1;
      return process.storage.log.prune(...args);
    },
  };
  const watched = platform({ clock, storage: { ...process.storage, log }, random: withoutJitter() });
  await subscribe(first, 'one.example');
  workers.run(watched, { pruneEvery: minute });
  await settled();
  await clock.advance(2 * minute);
  expect(pruned).toBeGreaterThan(0);
  process.pause();
  await clock.advance(lease);
  const before = pruned;
  await clock.advance(5 * minute);
  expect(pruned).toBe(before);
  process.resume();
  await clock.advance(2 * minute);
  expect(pruned).toBeGreaterThan(before);
});

describe('a worker that died', () => {
  test('its shards are taken over when its lease expires; the lost attempt is repeated and does not count', async () => {
    const { clock, process, first, second: other } = world();
    await subscribe(first, 'one.example');
    await publish(first, 1);
    workers.run(first);
    await settled();
    expect(first.sender.open.map(({ post }) => idOf(post))).toEqual(['acc_a/0']);
    process.pause();
    workers.run(other);
    await clock.advance(lease - 1);
    expect(other.sender.open).toEqual([]);
    await clock.advance(20);
    expect(other.sender.open.map(({ post }) => idOf(post))).toEqual(['acc_a/0']);
    other.sender.answerAll();
    await settled();
    expect(await outcomesOf(other)).toEqual(['abandoned', 200]);
    expect(await deliveriesOf(other)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    const attempts = other.signals.filter((signal) => signal.kind === 'attempt');
    expect(attempts.map(({ attempt, outcome, next }) => [attempt, outcome, next])).toEqual([
      [1, 'abandoned', 'retry'],
      [1, 200, 'delivered'],
    ]);
  });

  test('a retry that it was making is made again, as the same attempt', async () => {
    const { clock, process, first, second: other } = world();
    await subscribe(first, 'one.example');
    await publish(first, 1);
    workers.run(first);
    await settled();
    first.sender.answerAll(500);
    await clock.advance(6 * second);
    expect(first.sender.counts.sent).toBe(2);
    process.pause();
    workers.run(other);
    await clock.advance(lease + second);
    other.sender.answerAll(500);
    await settled();
    expect(await outcomesOf(other)).toEqual([500, 'abandoned', 500]);
    expect(await deliveriesOf(other)).toMatchObject([{ state: 'waiting', attempts: 2 }]);
  });

  test('deliveries in its memory are sent in order; settled ones are not', async () => {
    const { clock, process, first, second: other } = world();
    await subscribe(first, 'one.example');
    await publish(first, 30);
    workers.run(first, { perEndpoint: 1 });
    for (let times = 0; times < 10; times++) {
      await settled();
      first.sender.answerAll();
    }
    await clock.advance(second);
    process.pause();
    workers.run(other, { perEndpoint: 1 });
    await clock.advance(lease);
    while (other.sender.open.length > 0) {
      other.sender.answerAll();
      await clock.advance(20);
    }
    expect(await deliveriesOf(other)).toMatchObject(Array(30).fill({ state: 'delivered', attempts: 1 }));
    expect(other.sender.counts.sent).toBe(20);
    for (const [index, outcomes] of [
      [9, [200]],
      [10, ['abandoned', 200]],
    ] as const)
      expect(await outcomesOf(other, index)).toEqual(outcomes);
  });

  test('events it had not dispatched are dispatched', async () => {
    const { clock, process, first, second: other } = world();
    await subscribe(first, 'one.example');
    workers.run(first);
    await settled();
    process.pause();
    await publish(first, 1);
    workers.run(other);
    await clock.advance(lease + second);
    expect(other.sender.open.map(({ post }) => idOf(post))).toEqual(['acc_a/0']);
    other.sender.answerAll();
    await settled();
    expect(await outcomesOf(other)).toEqual([200]);
  });
});

describe('a worker that was paused for longer than its lease', () => {
  test('stores nothing more, sends nothing more, and joins anew', async () => {
    const { clock, process, first, second: other } = world(provenEngine);
    await subscribe(first, 'one.example');
    await publish(first, 3);
    workers.run(first, { perEndpoint: 1 });
    await settled();
    process.pause();
    workers.run(other, { perEndpoint: 3 });
    await clock.advance(lease + second);
    expect(other.sender.open).toHaveLength(3);
    process.calls.length = 0;
    // It got an answer meanwhile, and would have gone on.
    first.sender.answerAll(500);
    process.resume();
    await settled();
    expect(first.sender.counts.sent).toBe(1);
    other.sender.answerAll();
    await clock.advance(second);
    expect(await statesOf(other)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(await outcomesOf(other)).toEqual(['abandoned', 200]);
    expect(process.calls.filter((call) => call === 'join')).toHaveLength(1);
    expect(process.calls).not.toContain('leave');
  });

  test('once it has joined anew it serves its share again', async () => {
    const { clock, process, first, second: other } = world();
    await subscribe(first, 'one.example');
    workers.run(first);
    await settled();
    process.pause();
    const worker = workers.run(other);
    await clock.advance(lease + second);
    process.resume();
    await clock.advance(second);
    await worker.stop();
    await publish(first, 1);
    await settled();
    expect(first.sender.open).toHaveLength(1);
  });
});

describe('the lease', () => {
  test.each([
    [5 * second, 1],
    [5 * second + 1, 0],
  ])('no attempt begins that may outlive it: %i ms after the last heartbeat %i of one', async (silence, sent) => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const network = { isDown: false };
    const shards: typeof storage.shards = {
      ...storage.shards,
      heartbeat: async (...args) => {
        if (network.isDown) throw new Error('down');
        return storage.shards.heartbeat(...args);
      },
    };
    const made = platform({ clock, storage: { ...storage, shards } });
    await subscribe(made, 'one.example');
    workers.run(made, { pollEvery: 10 });
    await settled();
    network.isDown = true;
    await clock.advance(silence);
    await publish(made, 1);
    await settled();
    expect(made.sender.posts).toHaveLength(sent);
    // It is renewed: the attempt begins.
    network.isDown = false;
    await clock.advance(2 * second);
    expect(made.sender.posts).toHaveLength(1);
    expect(await outcomesOf(made)).toEqual([200]);
  });
});

describe('two workers', () => {
  const accountIds = Array.from({ length: 40 }, (_, index) => `acc_${index}`);

  test('divide the shards, and each serves its own accounts', async () => {
    const { first, second: other } = world();
    for (const accountId of accountIds) await subscribe(first, `${accountId}.example`, accountId);
    workers.run(first);
    workers.run(other);
    await settled();
    for (const accountId of accountIds) await publish(first, 1, accountId);
    await settled();
    const sentBy = ({ sender }: typeof first) => sender.open.map(({ post }) => shardOf(idOf(post).split('/')[0] ?? ''));
    const [mine, theirs] = [sentBy(first), sentBy(other)];
    expect(mine.length + theirs.length).toBe(accountIds.length);
    expect(Math.min(mine.length, theirs.length)).toBeGreaterThan(0);
    expect(mine.filter((shard) => theirs.includes(shard))).toEqual([]);
  });

  test('a new worker takes over half of the shards, after their attempts in flight end', async () => {
    const { clock, first, second: other } = world();
    for (const accountId of accountIds) await subscribe(first, `${accountId}.example`, accountId);
    workers.run(first, { perEndpoint: 1 });
    await settled();
    for (const accountId of accountIds) await publish(first, 2, accountId);
    await settled();
    const firstOnes = first.sender.open.length;
    expect(firstOnes).toBe(accountIds.length);
    workers.run(other, { perEndpoint: 1 });
    await clock.advance(second);
    // The first worker has one of each account in flight.
    expect(other.sender.counts.sent).toBe(0);
    first.sender.answerAll();
    await clock.advance(second);
    const [mine, theirs] = [first.sender.open, other.sender.open].map((open) => open.map(({ post }) => idOf(post)));
    expect([...(mine ?? []), ...(theirs ?? [])].toSorted()).toEqual(accountIds.map((each) => `${each}/1`).toSorted());
    expect(theirs?.length).toBeGreaterThan(5);
    first.sender.answerAll();
    other.sender.answerAll();
    await clock.advance(second);
    for (const accountId of accountIds) {
      expect(await outcomesOf(other, 0, accountId)).toEqual([200]);
      expect(await outcomesOf(other, 1, accountId)).toEqual([200]);
    }
  });

  test('a shard is not released before what its owner queues of it is stored', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const gate = Promise.withResolvers<void>();
    const released = new Set<number>();
    let isHeld = false;
    const held: Storage<MemoryTransaction> = {
      ...storage,
      shards: {
        ...storage.shards,
        release: async (workerId, shards) => {
          for (const shard of shards) released.add(shard);
          await storage.shards.release(workerId, shards);
        },
      },
      deliveries: {
        ...storage.deliveries,
        settle: async (...args) => {
          if (isHeld) await gate.promise;
          return storage.deliveries.settle(...args);
        },
      },
    };
    const first = platform({ clock, storage: held, sender: heldSender(), random: withoutJitter() });
    const other = platform({ clock, storage, sender: heldSender(), random: withoutJitter(2) });
    const { id } = await subscribe(first, 'one.example');
    await publish(first, 1);
    workers.run(first);
    await settled();
    first.sender.answerAll(500);
    await clock.advance(second);
    // The retry falls due, and its endpoint is gone: the delivery is queued until it is pruned.
    (await first.kit.endpoints.delete('acc_a', id))._unsafeUnwrap();
    isHeld = true;
    await clock.advance(6 * second);
    workers.run(other);
    await clock.advance(5 * second);
    expect(released.size).toBe(63);
    expect(released).not.toContain(shardOf('acc_a'));
    gate.resolve();
    await clock.advance(5 * second);
    expect(released).toContain(shardOf('acc_a'));
  });

  test('of which one is stopped and started a hundred times, send each event in order', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const one = platform({ clock, storage });
    const two = platform({ clock, storage, sender: one.sender, random: seededRandom(2) });
    await subscribe(one, 'one.example');
    workers.run(one, { perEndpoint: 1 });
    const worker = two.kit.worker({ perEndpoint: 1 });
    for (let times = 0; times < 100; times++) {
      worker.start();
      await publish(one, 1, 'acc_a', times);
      if (times % 3 === 0) await settled();
      await worker.stop();
    }
    await clock.advance(minute);
    expect(one.sender.posts.map(idOf)).toEqual(Array.from({ length: 100 }, (_, index) => `acc_a/${index}`));
  });
});
