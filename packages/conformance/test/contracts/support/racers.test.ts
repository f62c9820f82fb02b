import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { race, raceToResolve, soon } from '../../../src/contracts/support/racers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('what comes soon is handed on, and what fails soon fails', async () => {
  expect(await soon(Promise.resolve('it'), 'it')).toBe('it');
  await expect(soon(Promise.reject(new Error('no')), 'it')).rejects.toThrow('no');
  expect(vi.getTimerCount()).toBe(0);
});

test('what does not come fails with a sentence', async () => {
  const waiting = expect(soon(new Promise(() => {}), 'the answer')).rejects.toThrow('the answer: not within 5 seconds');
  await vi.advanceTimersByTimeAsync(5_000);
  await waiting;
});

test('racers start before any of them has ended', async () => {
  let started = 0;
  const seen = await race(async () => {
    started++;
    await Promise.resolve();
    return started;
  }, 30);
  expect(seen).toEqual(Array.from({ length: 30 }, () => 30));
  expect(
    await raceToResolve(async (index) => {
      if (index % 4) throw new Error('lost');
    }),
  ).toBe(5);
});
