import { type AnnouncedEvent, shardOf } from '@partnerkit/core/adapter';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { announcementOf, type EventsWake, readNotification, soonPayload } from '../../src/waking/announcement.ts';
import { repeatedWakes } from '../../src/waking/repeated-wakes.ts';
import { createWaker } from '../../src/waking/waker.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An announced event of a shard. */
const announced = (shard: number, id: string): AnnouncedEvent => ({
  ...{ id, shard, accountId: `acc_${shard}`, objectName: 'RequestPayment', objectId: 'p', type: 'payed', storedAt: 1 },
});

/** A waker, and the notifications that it sends: when, and for which shards. */
const recorded = (fails = false) => {
  const began = performance.now();
  const sent: (readonly [number, string])[] = [];
  const wake = createWaker({
    run: async (_statement: unknown, ...[values]: readonly unknown[]) => {
      sent.push([performance.now() - began, (values as { readonly payload: string }).payload]);
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
  expect(sent).toEqual([[1, 'soon:1,2,3']]);
});

test('a shard is notified at most once in 50 ms, and the last publisher is not forgotten', async () => {
  const { wake, sent } = recorded();
  for (let at = 0; at < 100; at += 10) {
    wake([7]);
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([
    [1, 'soon:7'],
    [51, 'soon:7'],
    [101, 'soon:7'],
  ]);
});

test('a shard that was notified does not delay another', async () => {
  const { wake, sent } = recorded();
  wake([1]);
  await vi.advanceTimersByTimeAsync(10);
  wake([1, 2]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([
    [1, 'soon:1'],
    [11, 'soon:2'],
    [51, 'soon:1'],
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

test('simultaneous publishers of one event each share one announcement', async () => {
  const { wake, sent } = recorded();
  wake([1], '{"id":"a"}');
  wake([2], '{"id":"b"}');
  wake([1], '{"id":"c"}');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([[1, 'soon:[{"id":"a"},{"id":"c"},{"id":"b"}]']]);
});

test('the shards are named when one of them has an event without an announcement, or all are too long', async () => {
  for (const [text, shards] of [
    [undefined, 'soon:1,2'],
    ['x'.repeat(1_900), 'soon:1,2'],
  ] as const) {
    const { wake, sent } = recorded();
    wake([1], '{"id":"a"}');
    wake([2], text);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([[1, shards]]);
  }
});

/** When watchers are woken, and what for. */
const woken = () => {
  const began = performance.now();
  const wakes: (readonly [number, EventsWake])[] = [];
  return { wakes, wake: repeatedWakes((wake) => void wakes.push([performance.now() - began, wake])) };
};

test('watchers read shards for 100 ms, while a publishing transaction may be open', async () => {
  const { wakes, wake } = woken();
  wake({ kind: 'events', shards: [1, 2] });
  await vi.advanceTimersByTimeAsync(50);
  wake({ kind: 'events', shards: [2] });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(wakes.map(([at, { shards }]) => [at, shards])).toEqual([
    ...[0, 1, 3, 6, 12, 24, 50].map((at) => [at, [1, 2]]),
    ...[50, 51, 53, 56, 62, 74].map((at) => [at, [2]]),
    [100, [1]],
    ...[100, 150].map((at) => [at, [2]]),
  ]);
});

test('watchers hear of announced events, unless earlier events of the shard may wait: then it is read', async () => {
  const { wakes, wake } = woken();
  const [first, second] = [announced(1, 'a'), announced(1, 'b')];
  wake({ kind: 'events', shards: [1], announced: [first] });
  await vi.advanceTimersByTimeAsync(50);
  wake({ kind: 'events', shards: [1], announced: [second] });
  await vi.advanceTimersByTimeAsync(1_000);
  wake({ kind: 'events', shards: [1], announced: [second] });
  const heard = wakes.map(([, { announced }]) => announced);
  expect(heard).toEqual([...Array(7).fill([first]), ...Array(8).fill(undefined), [second]]);
});

describe('a payload', () => {
  test('golden: names shards, or events with the time when they were stored', () => {
    const begin = announcementOf({
      ...{ id: 'e', accountId: 'acc_1', objectName: 'RequestPayment', objectId: 'p', type: 'payed', bodyTail: 'x' },
      ...{ occurredAt: 5, idempotencyKey: 'k' },
    });
    expect(begin).toBe(
      `{"id":"e","accountId":"acc_1","shard":${shardOf('acc_1')},"objectName":"RequestPayment","objectId":"p","type":"payed","occurredAt":5,"storedAt":`,
    );
    const event = JSON.parse(`${begin}7}`);
    const wake = { kind: 'events', shards: [shardOf('acc_1')], announced: [event] };
    expect(readNotification(`[${begin}7}]`)).toEqual({ wake, isSoon: false });
    expect(readNotification(soonPayload([1], [`${begin}7}`]))).toEqual({ wake, isSoon: true });
    expect(readNotification('1,2')).toEqual({ wake: { kind: 'events', shards: [1, 2] }, isSoon: false });
  });

  test.each([
    ['for one endpoint', { onlyTo: 'endpoint' }],
    ['that is a copy', { origin: 'acc_child' }],
    ['of an object with a long id', { objectId: 'é'.repeat(1_900) }],
  ])('does not announce an event %s', (_, change) => {
    const event = { id: 'e', accountId: 'acc_1', objectName: 'o', objectId: 'p', type: 'payed', bodyTail: 'x' };
    expect(announcementOf({ ...event, ...change })).toBeUndefined();
  });

  test.each(['[', '[{]', '{}', 'soon:[', ''])('that another role sent breaks nothing: %s', (payload) => {
    expect(() => readNotification(payload)).not.toThrow();
  });
});
