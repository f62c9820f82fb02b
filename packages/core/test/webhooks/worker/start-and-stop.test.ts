import { afterEach, describe, expect, test } from 'vitest';
import { hour, second } from '../../../src/base/runtime/time.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { shardCount } from '../../../src/webhooks/shards/shard.ts';
import { settled, start, testClock } from '../../support/clock.ts';
import {
  attemptsOf,
  deliveriesOf,
  idOf,
  publish,
  runningWorkers,
  statesOf,
  subscribe,
} from '../../support/deliveries.ts';
import { platform, provenEngine } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';
import { heldSender } from '../../support/sender.ts';

const workers = runningWorkers();
afterEach(workers.stop);

describe('start', () => {
  test('may be called again, and twice is once', async () => {
    const made = platform();
    const { clock } = made;
    await subscribe(made, 'one.example');
    const worker = workers.run(made);
    worker.start();
    await settled();
    // One delivers, one renews the lease, one prunes, one propagates, one gives due commands.
    expect(clock.sleepers()).toBe(5);
    await worker.stop();
    expect(clock.sleepers()).toBe(0);
    worker.start();
    worker.start();
    await settled();
    expect(clock.sleepers()).toBe(5);
    await publish(made, 1);
    await settled();
    expect(made.sender.posts).toHaveLength(1);
  });
});

describe('stop', () => {
  test('waits for the heartbeat under way: the host may close its storage then', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const { heartbeat } = storage.shards;
    let answer: (() => void) | undefined;
    let isHeld = false;
    storage.shards.heartbeat = async (...given) => {
      if (isHeld && !answer) await new Promise<void>((resolve) => (answer = resolve));
      return heartbeat(...given);
    };
    const made = platform({ clock, storage });
    const worker = workers.run(made);
    await settled();
    isHeld = true;
    for (let steps = 0; !answer && steps < 100; steps++) await clock.advance(second / 10);
    let isStopped = false;
    const stopping = worker.stop().then(() => {
      isStopped = true;
    });
    await settled();
    expect(isStopped).toBe(false);
    answer?.();
    await stopping;
    expect(clock.sleepers()).toBe(0);
  });

  test('waits for the attempts in flight and stores what became of them', async () => {
    const sender = heldSender();
    const made = platform({ engine: provenEngine, sender });
    await subscribe(made, 'one.example');
    await publish(made, 2);
    const worker = workers.run(made);
    await settled();
    expect(sender.open).toHaveLength(2);
    let isStopped = false;
    const stopping = worker.stop().then(() => {
      isStopped = true;
    });
    sender.open[0]?.answer();
    await settled();
    expect(isStopped).toBe(false);
    sender.open[0]?.answer(500);
    await stopping;
    expect(await statesOf(made)).toEqual(['delivered', 'waiting']);
  });

  test('nothing more starts', async () => {
    const made = platform();
    await subscribe(made, 'one.example');
    const worker = workers.run(made);
    await settled();
    await worker.stop();
    await publish(made, 1);
    made.kit.nudge();
    await made.clock.advance(hour);
    expect(made.sender.posts).toEqual([]);
    expect(made.clock.sleepers()).toBe(0);
  });

  test('deliveries waiting in memory are not sent, and left to the next owner', async () => {
    const sender = heldSender();
    const made = platform({ engine: provenEngine, sender });
    await subscribe(made, 'one.example');
    await publish(made, 20);
    const worker = workers.run(made, { perEndpoint: 2 });
    await settled();
    const stopping = worker.stop();
    sender.answerAll();
    await stopping;
    expect(sender.counts.sent).toBe(2);
    const other = platform({ storage: made.storage, clock: made.clock });
    expect(await other.kit.worker().drain()).toBe(18);
    expect(other.sender.posts.map(idOf)).toEqual(Array.from({ length: 18 }, (_, index) => `acc_a/${index + 2}`));
    // Nobody died: no attempt was lost.
    expect(await deliveriesOf(other)).toMatchObject(Array(20).fill({ state: 'delivered', attempts: 1 }));
    expect(await attemptsOf(other, 19)).toHaveLength(1);
  });

  test('deliveries from a read in progress are not sent', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const gate = Promise.withResolvers<void>();
    const deliveries: typeof storage.deliveries = {
      ...storage.deliveries,
      readOutbox: async (...args) => {
        const read = await storage.deliveries.readOutbox(...args);
        await gate.promise;
        return read;
      },
    };
    const made = platform({ clock, storage: { ...storage, deliveries } });
    await subscribe(made, 'one.example');
    await publish(made, 3);
    const worker = workers.run(made);
    await settled();
    const stopping = worker.stop();
    gate.resolve();
    await stopping;
    expect(made.sender.posts).toEqual([]);
    const other = platform({ clock, storage });
    expect(await other.kit.worker().drain()).toBe(3);
  });

  test('releases its shards at once: no other worker waits for the lease', async () => {
    const one = platform();
    const { clock, storage, sender } = one;
    const two = platform({ clock, storage, sender, random: seededRandom(2) });
    for (const accountId of ['acc_a', 'acc_b', 'acc_child']) await subscribe(one, `${accountId}.example`, accountId);
    const worker = workers.run(one);
    await settled();
    workers.run(two);
    await settled();
    const begun = clock.now();
    await worker.stop();
    for (const accountId of ['acc_a', 'acc_b', 'acc_child']) await publish(one, 1, accountId);
    await settled();
    expect(sender.posts.map(idOf).toSorted()).toEqual(['acc_a/0', 'acc_b/0', 'acc_child/0']);
    expect(clock.now()).toBe(begun);
  });

  test('while attempts are in flight, others serve the shards without any at once', async () => {
    const sender = heldSender();
    const one = platform({ sender });
    const { clock, storage } = one;
    const two = platform({ clock, storage, random: seededRandom(2) });
    const three = platform({ clock, storage, random: seededRandom(3) });
    for (const accountId of ['acc_a', 'acc_b', 'acc_child']) await subscribe(one, `${accountId}.example`, accountId);
    const worker = workers.run(one);
    await settled();
    await publish(one, 1);
    await settled();
    expect(sender.open).toHaveLength(1);
    // A second one stops at the same time: neither counts any more.
    const other = workers.run(two);
    workers.run(three);
    await settled();
    const stopping = [worker.stop(), other.stop()];
    for (const accountId of ['acc_b', 'acc_child']) await publish(one, 1, accountId);
    await publish(one, 1, 'acc_a', 1);
    await settled();
    expect(three.sender.posts.map(idOf).toSorted()).toEqual(['acc_b/0', 'acc_child/0']);
    sender.answerAll();
    await Promise.all(stopping);
    await settled();
    expect(three.sender.posts.map(idOf).toSorted()).toEqual(['acc_a/1', 'acc_b/0', 'acc_child/0']);
    expect(sender.counts.sent).toBe(1);
  });

  test('resolves for a worker that never ran, and when called twice', async () => {
    const worker = platform().kit.worker();
    await worker.stop();
    await Promise.all([worker.stop(), worker.stop()]);
    expect(await worker.drain()).toBe(0);
  });
});

describe('drain', () => {
  test('is for a worker that was not started', async () => {
    const worker = workers.run(platform());
    await expect(worker.drain()).rejects.toThrow(TypeError);
    await worker.stop();
    expect(await worker.drain()).toBe(0);
  });

  test('serves the shards that no other worker serves', async () => {
    const one = platform({ sender: heldSender() });
    const { clock, storage } = one;
    await subscribe(one, 'one.example');
    const worker = workers.run(one);
    await settled();
    await publish(one, 1);
    await settled();
    const two = platform({ clock, storage, random: seededRandom(2) });
    expect(await two.kit.worker().drain()).toBe(0);
    const stopping = worker.stop();
    one.sender.answerAll(500);
    await stopping;
    clock.set(clock.now() + hour);
    expect(await two.kit.worker().drain()).toBe(1);
  });

  test('stores its watermark: a successor skips settled events', async () => {
    const made = platform();
    await subscribe(made, 'one.example');
    await publish(made, 3);
    const worker = made.kit.worker();
    await worker.drain();
    made.clock.set(start + hour);
    await worker.drain();
    const { shards } = made.storage;
    await shards.join('successor', hour);
    const acquired = await shards.acquire('successor', shardCount);
    expect(acquired).toEqual(
      Array.from({ length: shardCount }, (_, shard) => ({ shard, watermark: start + hour, wasAbandoned: false })),
    );
  });

  test('ends as soon as the outcomes of the attempts are stored', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const gate = Promise.withResolvers<void>();
    const deliveries: typeof storage.deliveries = {
      ...storage.deliveries,
      settle: async (...args) => {
        await gate.promise;
        return storage.deliveries.settle(...args);
      },
    };
    const made = platform({ clock, storage: { ...storage, deliveries } });
    await subscribe(made, 'one.example');
    await publish(made, 1);
    const begun = clock.now();
    const draining = made.kit.worker().drain();
    await settled();
    gate.resolve();
    expect(await draining).toBe(1);
    expect(clock.now()).toBe(begun);
  });
});

describe('options', () => {
  test.each([
    ['concurrency', 0],
    ['concurrency', 1.5],
    ['perEndpoint', 0],
    ['perAccount', Number.NaN],
    ['pollEvery', 0],
    ['pruneEvery', -1],
  ])('%s of %s is a TypeError that names it', (name, value) => {
    const { kit } = platform();
    expect(() => kit.worker({ [name]: value })).toThrow(TypeError);
    expect(() => kit.worker({ [name]: value })).toThrow(`worker: ${name} must be a whole number from 1.`);
  });

  test('one that does not exist is refused', () => {
    expect(() => platform().kit.worker({ perEndpont: 2 } as never)).toThrow(
      new TypeError("worker: there is no option 'perEndpont'; did you mean 'perEndpoint'?"),
    );
  });
});
