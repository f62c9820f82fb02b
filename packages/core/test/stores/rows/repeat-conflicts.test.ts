import { expect, test, vi } from 'vitest';
import { repeatConflicts } from '../../../src/stores/rows/port/repeat-conflicts.ts';

const conflict = new Error('conflict');
const isConflict = (cause: unknown): boolean => cause === conflict;

/** A clock that notes pauses, and whose time does not pass. */
const noted = (act: () => void = () => undefined) => {
  const pauses: number[] = [];
  const sleep = async (pause: number): Promise<void> => {
    pauses.push(pause);
    act();
  };
  return { pauses, clock: { sleep } };
};

test('a conflict is repeated after growing pauses of at most about 64 milliseconds, at most 40 times', async () => {
  const { pauses, clock } = noted();
  const work = vi.fn(() => Promise.reject(conflict));
  await expect(repeatConflicts(work, { clock, isConflict })).rejects.toBe(conflict);
  expect(work).toHaveBeenCalledTimes(40);
  for (const [nth, pause] of pauses.entries()) {
    const usual = Math.min(2 ** nth, 64);
    expect(pause).toBeGreaterThanOrEqual(usual / 2);
    expect(pause).toBeLessThanOrEqual(usual * 1.5);
  }
  expect(new Set(pauses.slice(7)).size).toBeGreaterThan(30);
});

test('a success ends the repetition, and another error does at once', async () => {
  const { clock } = noted();
  let tries = 0;
  const third = async () => (++tries < 3 ? Promise.reject(conflict) : tries);
  expect(await repeatConflicts(third, { clock, isConflict })).toBe(3);
  const other = vi.fn(() => Promise.reject(new Error('other')));
  await expect(repeatConflicts(other, { clock, isConflict })).rejects.toThrow('other');
  expect(other).toHaveBeenCalledTimes(1);
});

test('nothing is repeated after an abort', async () => {
  const abort = new AbortController();
  const reason = new Error('too late');
  const { clock } = noted(() => abort.abort(reason));
  const work = vi.fn(() => Promise.reject(conflict));
  await expect(repeatConflicts(work, { clock, isConflict, signal: abort.signal })).rejects.toBe(reason);
  expect(work).toHaveBeenCalledTimes(1);
});
