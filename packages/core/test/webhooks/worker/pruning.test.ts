import { afterEach, describe, expect, test } from 'vitest';
import { minute, second } from '../../../src/base/runtime/time.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { WorkerOptions } from '../../../src/webhooks/worker/context/worker-options.ts';
import { start, testClock } from '../../support/clock.ts';
import { runningWorkers } from '../../support/deliveries.ts';
import { platform } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';

const workers = runningWorkers();
afterEach(workers.stop);

/** A platform whose storage tells when it was called to prune, and fails as often as told. */
const world = ({ seed = 1, failures = 0 } = {}) => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const calls: number[] = [];
  const log: typeof storage.log = {
    ...storage.log,
    prune: async (...input) => {
      calls.push(clock.now() - start);
      if (calls.length <= failures) throw new Error('down');
      return storage.log.prune(...input);
    },
  };
  const made = platform({ clock, storage: { ...storage, log }, random: seededRandom(seed) });
  return { ...made, calls };
};

describe('a worker that was started prunes', () => {
  /** The times between two calls, and from the start to the first. */
  const waitsOf = (calls: readonly number[]) => calls.map((at, index) => at - (calls[index - 1] ?? 0));

  test('about once a minute', async () => {
    const made = world();
    workers.run(made, { pollEvery: minute });
    await made.clock.advance(10 * minute);
    expect(made.calls.length).toBeGreaterThan(5);
    expect(waitsOf(made.calls).filter((wait) => wait < minute / 2 || wait > 1.5 * minute)).toEqual([]);
  });

  test('never at once, at about the interval, and not in step with others', async () => {
    const options: WorkerOptions = { pollEvery: minute, pruneEvery: 10 * second };
    const firsts = new Set<number>();
    for (let seed = 1; seed <= 20; seed++) {
      const made = world({ seed });
      workers.run(made, options);
      await made.clock.advance(60 * second);
      expect(made.calls.length).toBeGreaterThan(3);
      expect(waitsOf(made.calls).filter((wait) => wait < 5 * second || wait > 15 * second)).toEqual([]);
      firsts.add(made.calls[0] ?? 0);
    }
    expect(firsts.size).toBe(20);
  });

  test('again after the interval, when the storage failed', async () => {
    const made = world({ failures: 2 });
    workers.run(made, { pruneEvery: 10 * second });
    await made.clock.advance(60 * second);
    const error = { kind: 'worker_error', during: 'prune', error: { name: 'Error' }, count: 1 };
    expect(made.signals.filter(({ kind }) => kind === 'worker_error')).toEqual([error, error]);
    expect(made.calls.length).toBeGreaterThan(3);
    expect(waitsOf(made.calls).filter((wait) => wait < 5 * second)).toEqual([]);
  });

  test('no more once it is stopped, and again once it is started again', async () => {
    const { clock, calls, kit } = world();
    const worker = kit.worker({ pruneEvery: 10 * second });
    worker.start();
    await clock.advance(second);
    await worker.stop();
    expect(clock.sleepers()).toBe(0);
    await clock.advance(minute);
    expect(calls).toEqual([]);
    worker.start();
    await clock.advance(15 * second);
    expect(calls).toHaveLength(1);
    await worker.stop();
  });
});

describe('drain', () => {
  test('prunes at most once in each interval', async () => {
    const { clock, calls, kit } = world();
    const worker = kit.worker();
    for (const at of [0, 0, minute - 1, minute, minute + 1]) {
      clock.set(start + at);
      await worker.drain();
    }
    expect(calls).toEqual([0, minute]);
  });

  test('rejects when pruning failed', async () => {
    const { kit } = world({ failures: 1 });
    await expect(kit.worker().drain()).rejects.toMatchObject({ cause: new Error('down') });
  });
});
