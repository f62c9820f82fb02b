import { afterEach, describe, expect, test } from 'vitest';
import { hour, minute, second } from '../../../src/base/runtime/time.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { MemoryTransaction } from '../../../src/stores/rows/memory/memory-rows.ts';
import type { Storage } from '../../../src/stores/storage/storage.ts';
import { settled, testClock } from '../../support/clock.ts';
import {
  deliveriesOf,
  idOf,
  outcomesOf,
  publish,
  runningWorkers,
  statesOf,
  stopWorker,
  subscribe,
} from '../../support/deliveries.ts';
import { platform, provenEngine } from '../../support/kit.ts';
import { heldSender } from '../../support/sender.ts';

const workers = runningWorkers();
afterEach(workers.stop);

type Method = keyof Storage<object>['shards'] | keyof Storage<object>['deliveries'];
const cause = Object.assign(new Error('SECRET'), { code: 'ECONNREFUSED' });

/** A platform whose storage fails where the test says so: it does nothing, or it acts and its answer is lost. */
const failing = () => {
  const clock = testClock();
  const down = new Set<Method>();
  const losesAnswer = new Set<Method>();
  const calls: Method[] = [];
  const wrap = <P extends object>(port: P): P =>
    Object.fromEntries(
      Object.entries(port).map(([name, call]) => {
        const method = name as Method;
        return [
          name,
          async (...args: readonly unknown[]) => {
            calls.push(method);
            if (down.has(method)) throw cause;
            const answer = await call(...args);
            if (losesAnswer.has(method)) throw cause;
            return answer;
          },
        ];
      }),
    ) as P;
  const storage = memoryStorage({ clock });
  const flaky: Storage<MemoryTransaction> = {
    ...storage,
    shards: wrap(storage.shards),
    deliveries: wrap(storage.deliveries),
  };
  const told: unknown[] = [];
  const made = platform({ clock, storage: flaky, onError: (...each) => told.push(each) });
  const errors = () => made.signals.filter((signal) => signal.kind === 'worker_error');
  /** Another process, whose storage works. */
  const other = () => platform({ clock, storage });
  return { ...made, down, losesAnswer, calls, told, errors, other };
};

describe('a storage that fails for a while', () => {
  test.each([
    ['join', 'heartbeat'],
    ['heartbeat', 'heartbeat'],
    ['acquire', 'acquire'],
    ['recover', 'acquire'],
    ['readOutbox', 'dispatch'],
    ['dispatch', 'dispatch'],
    ['readEndpoints', 'read'],
    ['readDue', 'read'],
    ['settle', 'settle'],
    ['watch', 'watch'],
  ] as const)('%s: signalled as %s, told in full to onError, tried again, survived', async (method, during) => {
    const made = failing();
    await subscribe(made, 'one.example');
    await publish(made, 1);
    made.down.add(method);
    workers.run(made);
    await made.clock.advance(10 * second);
    const errors = made.errors();
    expect(errors.length).toBeGreaterThan(0);
    // It must not spin.
    expect(errors.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(50);
    const error = { name: 'Error', code: 'ECONNREFUSED' };
    expect(errors).toEqual(errors.map(({ count }) => ({ kind: 'worker_error', during, error, count })));
    expect(made.told).toEqual(errors.map(({ count }) => [cause, { during, count }]));
    made.down.clear();
    await publish(made, 1, 'acc_a', 1);
    await made.clock.advance(2 * second);
    expect(made.sender.posts.map(idOf)).toEqual(['acc_a/0', 'acc_a/1']);
    expect(await statesOf(made)).toEqual(['delivered', 'delivered']);
  });

  test.each(['join', 'heartbeat', 'acquire', 'recover', 'dispatch', 'dispatchAnnounced', 'settle'] as const)(
    '%s, whose answer is lost: each event is sent once, and logged once',
    async (method) => {
      const made = failing();
      await subscribe(made, 'one.example');
      workers.run(made);
      await made.clock.advance(second);
      made.losesAnswer.add(method);
      await publish(made, 3);
      await made.clock.advance(2 * second);
      made.losesAnswer.clear();
      await made.clock.advance(30 * second);
      expect(made.sender.posts.map(idOf)).toEqual(['acc_a/0', 'acc_a/1', 'acc_a/2']);
      expect(await deliveriesOf(made)).toMatchObject(Array(3).fill({ state: 'delivered', attempts: 1 }));
      for (const index of [0, 1, 2]) expect(await outcomesOf(made, index)).toEqual([200]);
    },
  );

  test('join, whose response was lost: it joins again under its id, and counts as one worker', async () => {
    const made = failing();
    await subscribe(made, 'one.example');
    await publish(made, 1);
    made.losesAnswer.add('join');
    workers.run(made);
    await made.clock.advance(2 * second);
    made.losesAnswer.clear();
    await made.clock.advance(2 * second);
    await made.storage.shards.join('other', minute);
    expect(
      await made.storage.shards.heartbeat('other', minute, {
        shards: [],
        watermark: 0,
        settlement: 0,
        isStopping: false,
      }),
    ).toMatchObject({
      workers: 2,
    });
    expect(await statesOf(made)).toEqual(['delivered']);
  });

  test('acquire, whose response was lost: it is unknown which shards it owns, so it joins anew and acquires them', async () => {
    const made = failing();
    await subscribe(made, 'one.example');
    await publish(made, 1);
    made.losesAnswer.add('acquire');
    workers.run(made);
    await settled();
    made.losesAnswer.clear();
    await made.clock.advance(2 * second);
    expect(made.calls.filter((call) => call === 'join').length).toBeGreaterThan(1);
    expect(await statesOf(made)).toEqual(['delivered']);
  });
});

describe('settle', () => {
  test('is retried every second; sent deliveries are not sent again', async () => {
    const made = failing();
    await subscribe(made, 'one.example');
    await publish(made, 3);
    made.down.add('settle');
    workers.run(made);
    await made.clock.advance(10 * second);
    expect(made.sender.posts).toHaveLength(3);
    expect(await statesOf(made)).toEqual(['waiting', 'waiting', 'waiting']);
    made.down.clear();
    await made.clock.advance(second);
    expect(await statesOf(made)).toEqual(['delivered', 'delivered', 'delivered']);
    await made.clock.advance(5 * minute);
    expect(made.sender.posts).toHaveLength(3);
  });

  test('limits the attempts: while it fails, a few hundred attempts are made and no more', async () => {
    const made = failing();
    for (let index = 0; index < 10; index++) await subscribe(made, `e${index}.example`);
    await publish(made, 100);
    made.down.add('settle');
    workers.run(made, { concurrency: 10, perAccount: 1_000, perEndpoint: 1_000 });
    await made.clock.advance(20 * second);
    expect(made.sender.posts.length).toBeLessThanOrEqual(256 + 10);
    made.down.clear();
    await made.clock.advance(5 * second);
    expect(made.sender.posts).toHaveLength(1_000);
  });

  test('continues while no other call succeeds', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const hung = { until: Promise.resolve() };
    const deliveries: typeof storage.deliveries = {
      ...storage.deliveries,
      readDue: async (...args) => {
        await hung.until;
        return storage.deliveries.readDue(...args);
      },
    };
    const sender = heldSender();
    const made = platform({ engine: provenEngine, clock, sender, storage: { ...storage, deliveries } });
    await subscribe(made, 'one.example');
    await publish(made, 8);
    workers.run(made);
    await settled();
    const gate = Promise.withResolvers<void>();
    hung.until = gate.promise;
    await clock.advance(second);
    for (const { answer } of sender.open.slice(0, 6)) answer();
    await clock.advance(20);
    expect((await statesOf(made)).filter((state) => state === 'delivered')).toHaveLength(6);
    gate.resolve();
  });

  test.each([
    ['with the whole storage', ['heartbeat', 'leave', 'readOutbox', 'readDue'] as const],
    // A settlement that the storage cannot take, say.
    ['alone', []],
  ])('fails %s while the worker stops: given up after 20 s, and taken over as abandoned', async (_, methods) => {
    const made = failing();
    await subscribe(made, 'one.example');
    await publish(made, 2);
    made.down.add('settle');
    const worker = made.kit.worker();
    worker.start();
    await made.clock.advance(3 * second);
    expect(made.sender.posts).toHaveLength(2);
    for (const method of methods) made.down.add(method);
    const stopsAt = made.clock.now();
    await stopWorker(worker, made.clock);
    expect(made.clock.now() - stopsAt).toBeGreaterThan(19 * second);
    expect(made.clock.now() - stopsAt).toBeLessThan(25 * second);
    made.down.clear();
    made.clock.set(made.clock.now() + 20 * second);
    const other = made.other();
    expect(await other.kit.worker().drain()).toBe(2);
    for (const index of [0, 1]) expect(await outcomesOf(other, index)).toEqual(['abandoned', 200]);
    expect(await deliveriesOf(other)).toMatchObject(Array(2).fill({ state: 'delivered', attempts: 1 }));
  });
});

describe('drain', () => {
  test.each(['join', 'heartbeat', 'acquire', 'recover', 'readOutbox', 'readEndpoints', 'readDue'] as const)(
    'rejects when %s fails, since a cron job must not report success; and it leaves',
    async (method) => {
      const made = failing();
      await subscribe(made, 'one.example');
      await publish(made, 1);
      made.down.add(method);
      await expect(made.kit.worker().drain()).rejects.toThrow('worker: the storage failed while draining.');
      expect(made.errors().length).toBeGreaterThan(0);
      made.down.clear();
      made.calls.length = 0;
      await made.clock.advance(hour);
      expect([made.calls, made.clock.sleepers()]).toEqual([[], 0]);
      await made.kit.worker().drain();
      expect(made.sender.posts).toHaveLength(1);
      expect(await statesOf(made)).toEqual(['delivered']);
    },
  );
});

test('after an error, a worker is as fast as before', async () => {
  const made = failing();
  await subscribe(made, 'one.example');
  made.down.add('readOutbox');
  workers.run(made);
  await made.clock.advance(2 * second);
  made.down.clear();
  await made.clock.advance(3 * second);
  const at = made.clock.now();
  // Four pages of the outbox.
  await publish(made, 2_000);
  for (let turns = 0; turns < 200 && made.sender.posts.length < 2_000; turns++) await settled();
  expect([made.sender.posts.length, made.clock.now() - at]).toEqual([2_000, 0]);
});
