import { describe, expect, test } from 'vitest';
import type { Membership } from '../../../src/delivery-ports/shard-store.ts';
import { second } from '../../../src/runtime/time.ts';
import { createHeartbeat, workerLease } from '../../../src/worker/membership.ts';
import { createWorkerErrors } from '../../../src/worker/worker-errors.ts';
import { settled, start, testClock } from '../../support/clock.ts';

const alone: Membership = { workers: 1, freeShards: 0 };
type Answer = Membership | 'fenced' | Error | Promise<Membership>;

/** A heartbeat whose store answers as told, and then that the worker is alone. */
const world = (...answers: Answer[]) => {
  const clock = testClock();
  const beats: number[] = [];
  const watermark: unknown[] = [];
  const told: (Membership | 'fenced')[] = [];
  const errors: string[] = [];
  const store = { join: async (): Promise<void> => undefined };
  let isStopping = false;
  const heartbeat = createHeartbeat({
    shards: {
      join: () => store.join(),
      heartbeat: async (workerId, lease, beat) => {
        beats.push(clock.now() - start);
        watermark.push([workerId, lease, beat]);
        const answer = answers.shift() ?? alone;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    workerId: 'w',
    lease: 20 * second,
    clock,
    now: clock.now,
    errors: createWorkerErrors(
      (signal) => 'during' in signal && errors.push(signal.during),
      () => undefined,
    ),
    watermark: () => ({ shards: [3], settledTo: clock.now() }),
    isStopping: () => isStopping,
    onMembers: (members) => told.push(members),
    onFenced: () => told.push('fenced'),
  });
  const beginToStop = () => {
    isStopping = true;
  };
  return { clock, heartbeat, beats, watermark, told, errors, store, beginToStop };
};

test('golden: a lease of 20 seconds, renewed every tenth of it; every fifth time with the served shards and their watermark', async () => {
  expect(workerLease).toBe(20_000);
  const { clock, heartbeat, beats, watermark, told } = world();
  expect(await heartbeat.join()).toBe(true);
  const running = heartbeat.run();
  await clock.advance(12 * second);
  expect(beats).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000, 12_000]);
  const none = ['w', 20_000, { shards: [], settledTo: 0, isStopping: false }];
  expect(watermark).toEqual([
    ...Array(5).fill(none),
    ['w', 20_000, { shards: [3], settledTo: start + 10 * second, isStopping: false }],
    none,
  ]);
  expect(told).toEqual(Array(7).fill(alone));
  heartbeat.stop();
  await running;
  expect(clock.sleepers()).toBe(0);
});

test('stores the watermark at once before a worker leaves', async () => {
  const { heartbeat, watermark, beginToStop } = world();
  await heartbeat.join();
  beginToStop();
  await heartbeat.storeWatermark();
  expect(watermark[1]).toEqual(['w', 20_000, { shards: [3], settledTo: start, isStopping: true }]);
});

describe('the lease', () => {
  test('counts from when the renewing call was sent, however late its response', async () => {
    const slow = Promise.withResolvers<Membership>();
    const { clock, heartbeat } = world(alone, slow.promise);
    await heartbeat.join();
    const running = heartbeat.run();
    await clock.advance(2 * second);
    await clock.advance(10 * second);
    expect(heartbeat.leaseLeft()).toBe(8 * second);
    slow.resolve(alone);
    await settled();
    expect(heartbeat.leaseLeft()).toBe(10 * second);
    heartbeat.stop();
    await running;
  });

  test('is valid from the join on, not before', async () => {
    const { heartbeat, store } = world(new Error('down'));
    expect(heartbeat.leaseLeft()).toBeLessThan(0);
    store.join = () => Promise.reject(new Error('down'));
    expect(await heartbeat.join()).toBe(false);
    expect(heartbeat.leaseLeft()).toBeLessThan(0);
    store.join = async () => undefined;
    expect(await heartbeat.join()).toBe(true);
    expect(heartbeat.leaseLeft()).toBe(20 * second);
  });

  test('expires while the store fails; the store is called every second', async () => {
    const down = Array.from({ length: 30 }, () => new Error('down'));
    const { clock, heartbeat, beats, errors } = world(alone, ...down);
    await heartbeat.join();
    const running = heartbeat.run();
    await clock.advance(20 * second);
    expect(beats.slice(0, 4)).toEqual([0, 2_000, 3_000, 4_000]);
    expect(errors).toEqual(Array(beats.length - 1).fill('heartbeat'));
    expect(heartbeat.leaseLeft()).toBe(0);
    await clock.advance(14 * second);
    expect(heartbeat.leaseLeft()).toBeGreaterThan(15 * second);
    heartbeat.stop();
    await running;
  });
});

describe('the next heartbeat comes', () => {
  test('a moment after the lease of another worker expires', async () => {
    const { clock, heartbeat, beats } = world({ workers: 2, freeShards: 0, nextExpiryIn: 1_500 });
    await heartbeat.join();
    const running = heartbeat.run();
    await clock.advance(2 * second);
    expect(beats).toEqual([0, 1_510]);
    heartbeat.stop();
    await running;
  });

  test('at once when woken, and without a busy loop when a lease expired long ago', async () => {
    const over = { workers: 2, freeShards: 0, nextExpiryIn: -60_000 };
    const { clock, heartbeat, beats } = world(over, over, over, over);
    await heartbeat.join();
    const running = heartbeat.run();
    await clock.advance(3);
    expect(beats.length).toBeLessThanOrEqual(5);
    heartbeat.beat();
    await settled();
    expect(beats.at(-1)).toBe(3);
    heartbeat.stop();
    await running;
  });
});

test('a fenced worker is reported once, and stops its heartbeat', async () => {
  const { clock, heartbeat, beats, told } = world(alone, 'fenced');
  await heartbeat.join();
  const running = heartbeat.run();
  await clock.advance(60 * second);
  await running;
  expect([beats, told]).toEqual([
    [0, 2_000],
    [alone, 'fenced'],
  ]);
  expect(clock.sleepers()).toBe(0);
});
