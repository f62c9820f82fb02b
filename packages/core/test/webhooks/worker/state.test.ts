import { afterEach, expect, test } from 'vitest';
import { second } from '../../../src/base/runtime/time.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { start, testClock } from '../../support/clock.ts';
import { publish, runningWorkers, subscribe } from '../../support/deliveries.ts';
import { platform, provenEngine } from '../../support/kit.ts';
import { heldSender } from '../../support/sender.ts';

const workers = runningWorkers();
afterEach(workers.stop);

const stopped = { state: 'stopped', shards: 0, inFlight: 0, ready: 0, unsettled: 0, leaseLeftMs: 0 };

test('golden: stopped, serving all shards, stopping, stopped', async () => {
  const sender = heldSender();
  const made = platform({ engine: provenEngine, sender });
  await subscribe(made, 'one.example');
  await publish(made, 5);
  const worker = made.kit.worker({ perEndpoint: 2 });
  expect(worker.state()).toEqual(stopped);
  worker.start();
  expect(worker.state()).toEqual({ ...stopped, state: 'starting' });
  await made.clock.advance(second);
  const serving = { state: 'serving', shards: 128, inFlight: 2, ready: 3, unsettled: 0, leaseLeftMs: 19_000 };
  expect(worker.state()).toEqual(serving);
  const stopping = worker.stop();
  await made.clock.advance(1);
  expect(worker.state()).toEqual({ ...stopped, state: 'stopping', inFlight: 2, leaseLeftMs: 19_999 });
  sender.answerAll();
  await stopping;
  expect(worker.state()).toEqual(stopped);
});

/** A worker whose storage can fail: to settle, to read events and to prune. */
const failingWorld = () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const down = { settle: false, readOutbox: false, prune: false };
  const cause = new Error('down');
  const failing =
    <A extends readonly unknown[], R>(call: keyof typeof down, run: (...input: A) => Promise<R>) =>
    async (...input: A): Promise<R> => {
      if (down[call]) throw cause;
      return run(...input);
    };
  const { settle, readOutbox } = storage.deliveries;
  const deliveries = { settle: failing('settle', settle), readOutbox: failing('readOutbox', readOutbox) };
  const log = { ...storage.log, prune: failing('prune', storage.log.prune) };
  const made = platform({
    clock,
    storage: { ...storage, log, deliveries: { ...storage.deliveries, ...deliveries } },
  });
  return { ...made, cause, down };
};

test('counts outcomes that are not stored', async () => {
  const made = failingWorld();
  await subscribe(made, 'one.example');
  await publish(made, 2);
  made.down.settle = true;
  const worker = workers.run(made);
  await made.clock.advance(100);
  expect(worker.state()).toMatchObject({ state: 'serving', inFlight: 0, unsettled: 2 });
  made.down.settle = false;
  await made.clock.advance(5 * second);
  expect(worker.state()).toMatchObject({ state: 'serving', unsettled: 0 });
});

test.each(['settle', 'readOutbox'] as const)('has the last error of the storage and its time: %s', async (call) => {
  const made = failingWorld();
  await subscribe(made, 'one.example');
  await publish(made, 1);
  made.down[call] = true;
  const worker = workers.run(made);
  expect(worker.state()).not.toHaveProperty('lastError');
  await made.clock.advance(5_500);
  made.down[call] = false;
  await made.clock.advance(10 * second);
  const { cause, at = 0 } = worker.state().lastError ?? {};
  expect(cause).toBe(made.cause);
  expect(at).toBeGreaterThan(start + 4 * second);
  expect(at).toBeLessThan(start + 6 * second);
});

test('starting, while the storage does not let it join', async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const cause = new Error('down');
  const shards = { ...storage.shards, join: () => Promise.reject(cause) };
  const made = platform({ clock, storage: { ...storage, shards } });
  const worker = workers.run(made);
  await clock.advance(10 * second);
  expect(worker.state()).toEqual({ ...stopped, state: 'starting', lastError: { cause, at: start + 10 * second } });
});

test('restarting, once its row was deleted, until its attempts ended', async () => {
  const sender = heldSender();
  const clock = testClock();
  const storage = memoryStorage({ clock });
  let isFenced = false;
  const heartbeat: typeof storage.shards.heartbeat = async (...input) =>
    isFenced ? 'fenced' : storage.shards.heartbeat(...input);
  const made = platform({ clock, sender, storage: { ...storage, shards: { ...storage.shards, heartbeat } } });
  await subscribe(made, 'one.example');
  await publish(made, 1);
  const worker = workers.run(made);
  await clock.advance(second);
  isFenced = true;
  await clock.advance(2 * second);
  isFenced = false;
  expect(worker.state()).toMatchObject({ state: 'restarting', inFlight: 1 });
  sender.answerAll();
  await clock.advance(second);
  expect(worker.state()).toMatchObject({ state: 'serving' });
});
