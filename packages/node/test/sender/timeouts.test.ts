import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTimeouts } from '../../src/sender/timeouts.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Timeouts that write down when they expired, in milliseconds since the start. */
const start = () => {
  const { set, clear } = createTimeouts();
  const startedAt = performance.now();
  const expired: [name: string, at: number][] = [];
  const add = (name: string, duration: number) =>
    set(duration, () => expired.push([name, performance.now() - startedAt]));
  return { add, clear, expired };
};

test('each timeout expires exactly when its own duration has passed', () => {
  const { add, expired } = start();
  add('a', 100);
  vi.advanceTimersByTime(30);
  add('b', 100);
  add('c', 50);
  vi.advanceTimersByTime(1_000);
  expect(expired).toEqual([
    ['c', 80],
    ['a', 100],
    ['b', 130],
  ]);
});

test('a cleared timeout never expires, and the others expire as before', () => {
  const { add, clear, expired } = start();
  const [first] = [add('first', 100), add('second', 100)];
  const last = add('last', 100);
  clear(first);
  clear(last);
  vi.advanceTimersByTime(1_000);
  expect(expired).toEqual([['second', 100]]);
});

test('clearing a timeout a second time, or after it expired, changes nothing', () => {
  const { add, clear, expired } = start();
  const cleared = add('cleared', 100);
  const over = add('over', 10);
  clear(cleared);
  vi.advanceTimersByTime(20);
  add('late', 100);
  add('later', 10);
  clear(cleared);
  clear(over);
  vi.advanceTimersByTime(1_000);
  expect(expired).toEqual([
    ['over', 10],
    ['later', 30],
    ['late', 120],
  ]);
});

test('a timeout that is set while another expires counts from then', () => {
  const { add, expired } = start();
  const { set } = createTimeouts();
  set(100, () => {
    add('first', 100);
    set(100, () => add('second', 100));
  });
  vi.advanceTimersByTime(1_000);
  expect(expired).toEqual([
    ['first', 200],
    ['second', 300],
  ]);
});

test('all timeouts of one duration share one timer', () => {
  const { add, clear } = start();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  for (let count = 0; count < 1_000; count += 1) {
    clear(add('a', 100));
    add('b', 200);
  }
  expect(timers).toHaveBeenCalledTimes(2);
});

test('a timer is set again only for what is still open', () => {
  const { add, clear, expired } = start();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  for (let count = 0; count < 99; count += 1) {
    clear(add('cleared', 100));
    vi.advanceTimersByTime(1);
  }
  add('open', 100);
  vi.advanceTimersByTime(1_000);
  expect(expired).toEqual([['open', 199]]);
  expect(timers).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});

test('no timer keeps the process alive', () => {
  const { add } = start();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  add('a', 100);
  vi.advanceTimersByTime(50);
  add('b', 100);
  vi.advanceTimersByTime(60);
  expect(timers.mock.results.map(({ value }) => value.hasRef())).toEqual([false, false]);
});

test('a duration may be longer than any delay of setTimeout', () => {
  const { add, expired } = start();
  add('a', 2 ** 31 + 500);
  vi.advanceTimersByTime(2 ** 31 + 499);
  expect(expired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(expired).toEqual([['a', 2 ** 31 + 500]]);
});
