import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock, systemRandom } from '../../../src/base/runtime/system.ts';
import { day } from '../../../src/base/runtime/time.ts';
import { start } from '../../support/clock.ts';

describe('systemClock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: start, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const sleeping = (time: number, signal = new AbortController().signal) => {
    const state = { awake: false };
    const done = systemClock.sleep(time, signal).then(() => {
      state.awake = true;
    });
    return { state, done };
  };

  test('now is the time of the machine, in milliseconds', () => {
    expect(systemClock.now()).toBe(start);
  });

  test('sleeps for the given time', async () => {
    const { state, done } = sleeping(250);
    await vi.advanceTimersByTimeAsync(249);
    expect(state.awake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(state.awake).toBe(true);
  });

  test('a sleep of 30 days, longer than setTimeout allows, ends on time', async () => {
    const { state } = sleeping(30 * day);
    await vi.advanceTimersByTimeAsync(1);
    expect(state.awake).toBe(false);
    await vi.advanceTimersByTimeAsync(2 ** 31);
    expect(state.awake).toBe(false);
    await vi.advanceTimersByTimeAsync(30 * day - 2 ** 31 - 2);
    expect(state.awake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(state.awake).toBe(true);
  });

  test('an abort ends a sleep at once, without error or timer', async () => {
    const aborting = new AbortController();
    const { state, done } = sleeping(30 * day, aborting.signal);
    await vi.advanceTimersByTimeAsync(10);
    aborting.abort(new Error('enough'));
    await done;
    expect(state.awake).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a sleep with an aborted signal ends at once', async () => {
    const { done } = sleeping(30 * day, AbortSignal.abort());
    await done;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a sleep that ended removes its listener', async () => {
    const aborting = new AbortController();
    const removed = vi.spyOn(aborting.signal, 'removeEventListener');
    const { done } = sleeping(1, aborting.signal);
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
  });

  test.each([0, -1])('a sleep of %i ends without a timer', async (time) => {
    await sleeping(time).done;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('systemRandom', () => {
  test('returns the requested number of bytes in a new array', () => {
    const [first, second] = [systemRandom.bytes(16), systemRandom.bytes(16)];
    expect(first).toHaveLength(16);
    const kept = [...second];
    first.fill(0);
    expect([...second]).toEqual(kept);
    expect(first.buffer).not.toBe(second.buffer);
    expect(systemRandom.bytes(0)).toHaveLength(0);
  });

  test('no block is returned twice, across many refills of its pool', () => {
    const blocks = Array.from({ length: 3_000 }, () => Buffer.from(systemRandom.bytes(10)).toString('hex'));
    expect(new Set(blocks).size).toBe(blocks.length);
  });

  test('all 256 values occur about equally often', () => {
    const counts = new Array<number>(256).fill(0);
    for (let times = 0; times < 64; times++)
      for (const byte of systemRandom.bytes(4_096)) counts[byte] = (counts[byte] ?? 0) + 1;
    for (const count of counts) expect(Math.abs(count - 1_024)).toBeLessThan(400);
  });

  test('more than its pool is a RangeError', () => {
    expect(systemRandom.bytes(4_096)).toHaveLength(4_096);
    expect(() => systemRandom.bytes(4_097)).toThrow(RangeError);
  });
});

test('a clock that is set back does not extend a sleep', async () => {
  vi.useFakeTimers();
  try {
    let woke = false;
    void systemClock.sleep(250, new AbortController().signal).then(() => {
      woke = true;
    });
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(250);
    expect(woke).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
