import { afterEach, describe, expect, test } from 'vitest';
import { second } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { ShardStore } from '../../../src/webhooks/shards/shard-store.ts';
import { settled, start, testClock } from '../../support/clock.ts';
import { answered, publish, runningWorkers, statesOf, subscribe } from '../../support/deliveries.ts';
import { platform } from '../../support/kit.ts';
import { withoutJitter } from '../../support/random.ts';
import { heldSender } from '../../support/sender.ts';

const workers = runningWorkers();
afterEach(workers.stop);

/** A platform whose storage wakes as told. */
const wakingBy = (watch: (storage: ShardStore) => ShardStore['watch']) => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const shards = { ...storage.shards, watch: watch(storage.shards) };
  return platform({ clock, storage: { ...storage, shards } });
};
/** A storage that wakes nobody. */
const silent = () => wakingBy(() => async () => () => undefined);

test('an event published in this process is sent without waiting for a poll', async () => {
  const made = platform();
  await subscribe(made, 'one.example');
  workers.run(made);
  await settled();
  for (let times = 1; times <= 3; times++) {
    await publish(made, 1, 'acc_a', times);
    await settled();
    expect(made.sender.posts).toHaveLength(times);
  }
  expect(made.clock.now()).toBe(start);
});

test('an event published just before it watches is found', async () => {
  let isLate = true;
  const made: ReturnType<typeof wakingBy> = wakingBy(({ watch }) => async (onWake) => {
    if (isLate) await publish(made, 1);
    isLate = false;
    return watch(onWake);
  });
  await subscribe(made, 'one.example');
  workers.run(made);
  await settled();
  expect(made.sender.posts).toHaveLength(1);
  expect(made.clock.now()).toBe(start);
});

test('a busy worker does not watch; an idle one does', async () => {
  const counts = { watching: 0, asked: 0 };
  const made = wakingBy(({ watch }) => async (onWake) => {
    counts.watching++;
    counts.asked++;
    const unwatch = await watch(onWake);
    return () => {
      counts.watching--;
      unwatch();
    };
  });
  await subscribe(made, 'one.example');
  workers.run(made);
  await settled();
  expect(counts).toEqual({ watching: 1, asked: 1 });
  await publish(made, 5_000);
  await settled();
  expect(made.sender.posts).toHaveLength(5_000);
  // It may find nothing for a moment, while outcomes are stored.
  expect(counts.watching).toBe(1);
  expect(counts.asked).toBeLessThanOrEqual(3);
});

describe('with a storage that wakes no worker', () => {
  test('a nudge wakes it at once', async () => {
    const made = silent();
    await subscribe(made, 'one.example');
    workers.run(made);
    await settled();
    await publish(made, 1);
    await settled();
    expect(made.sender.posts).toEqual([]);
    made.kit.nudge();
    await settled();
    expect(made.sender.posts).toHaveLength(1);
  });

  test.each([undefined, 5_000])('without a nudge it polls (pollEvery: %s)', async (pollEvery) => {
    const made = silent();
    await subscribe(made, 'one.example');
    workers.run(made, pollEvery === undefined ? {} : { pollEvery });
    await settled();
    await publish(made, 1);
    await made.clock.advance((pollEvery ?? 250) - 1);
    expect(made.sender.posts).toEqual([]);
    await made.clock.advance(1);
    expect(made.sender.posts).toHaveLength(1);
  });

  test('enabling an endpoint wakes it', async () => {
    const made = silent();
    const { id } = await subscribe(made, 'one.example');
    const stored = await made.storage.endpoints.findEndpoint('acc_a', id);
    await made.storage.endpoints.replaceEndpoint({ ...stored, state: 'disabled_by_breaker' } as never);
    await publish(made, 1);
    workers.run(made);
    await settled();
    expect(await statesOf(made)).toEqual(['held']);
    (await made.kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
    await settled();
    expect(made.sender.posts).toHaveLength(1);
    expect(made.clock.now()).toBe(start);
  });
});

test('a due retry is found by polling', async () => {
  const answers = [500, 200];
  const made = platform({
    random: withoutJitter(),
    sender: memorySender(() => answered(answers.shift() ?? 500)),
  });
  await subscribe(made, 'one.example');
  workers.run(made);
  await publish(made, 1);
  await made.clock.advance(4 * second);
  expect(made.sender.posts).toHaveLength(1);
  await made.clock.advance(second + 250);
  expect(await statesOf(made)).toEqual(['delivered']);
});

test('a worker with a backlog reads due deliveries at the poll interval, not with each page', async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const reads: number[] = [];
  const deliveries: typeof storage.deliveries = {
    ...storage.deliveries,
    readDue: (...given) => {
      reads.push(clock.now() - start);
      return storage.deliveries.readDue(...given);
    },
  };
  const sender = heldSender();
  const made = platform({ clock, storage: { ...storage, deliveries }, sender });
  await subscribe(made, 'one.example');
  workers.run(made, { concurrency: 512, perAccount: 512, perEndpoint: 512 });
  // An endpoint that has answered takes a backlog into memory.
  await publish(made, 1);
  await settled();
  sender.answerAll();
  await settled();
  await publish(made, 10_000, 'acc_a', 1);
  while (clock.now() - start < 400) {
    sender.answerAll();
    await clock.advance(20);
  }
  expect(sender.counts.sent).toBeGreaterThan(5_000);
  expect(reads.map((at) => Math.floor(at / 250))).toEqual([0, 1]);
});
