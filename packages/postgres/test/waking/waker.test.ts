import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeatedWakes } from '../../src/repeated-wakes.ts';
import { createWaker } from '../../src/waker.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A waker, and the notifications that it sends: when, and for which shards. */
const recorded = (fails = false) => {
  const began = performance.now();
  const sent: (readonly [number, string])[] = [];
  const wake = createWaker({
    sql: (text) => text,
    run: async (_, values = []) => {
      sent.push([performance.now() - began, String(values[0])]);
      if (fails) throw new Error('The server is gone.');
      return [];
    },
  });
  return { wake, sent };
};

test('simultaneous publishers share one notification', async () => {
  const { wake, sent } = recorded();
  for (const shards of [[1], [2, 3], [1]]) wake(shards);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([[1, '1,2,3']]);
});

test('a shard is notified at most once in 50 ms, and the last publisher is not forgotten', async () => {
  const { wake, sent } = recorded();
  for (let at = 0; at < 100; at += 10) {
    wake([7]);
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([
    [1, '7'],
    [51, '7'],
    [101, '7'],
  ]);
});

test('a shard that was notified does not delay another', async () => {
  const { wake, sent } = recorded();
  wake([1]);
  await vi.advanceTimersByTimeAsync(10);
  wake([1, 2]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([
    [1, '1'],
    [11, '2'],
    [51, '1'],
  ]);
});

test('a notification that fails is lost, and the next one is sent', async () => {
  const { wake, sent } = recorded(true);
  wake([1]);
  await vi.advanceTimersByTimeAsync(100);
  wake([1]);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toHaveLength(2);
});

test('watchers read shards for 100 ms, while a publishing transaction may be open', async () => {
  const began = performance.now();
  const wakes: (readonly [number, readonly number[]])[] = [];
  const wake = repeatedWakes((shards) => void wakes.push([performance.now() - began, shards]));
  wake([1, 2]);
  await vi.advanceTimersByTimeAsync(50);
  wake([2]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(wakes).toEqual([
    ...[0, 1, 3, 6, 12, 24, 50].map((at) => [at, [1, 2]]),
    ...[50, 51, 53, 56, 62, 74].map((at) => [at, [2]]),
    [100, [1]],
    ...[100, 150].map((at) => [at, [2]]),
  ]);
});
