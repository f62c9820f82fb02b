import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { atEndOfTurn } from '../../src/sender/end-of-turn.ts';

test('work queued in one turn of the event loop runs in order, in one immediate', async () => {
  const immediates = vi.spyOn(globalThis, 'setImmediate');
  onTestFinished(() => immediates.mockRestore());
  const ran: number[] = [];
  for (const number of [1, 2, 3]) atEndOfTurn(() => ran.push(number));
  await Promise.resolve();
  expect(ran).toEqual([]);
  await nextTurn();
  expect(ran).toEqual([1, 2, 3]);
  expect(immediates).toHaveBeenCalledTimes(1);
});

test('work queued meanwhile runs in a later turn', async () => {
  const ran: string[] = [];
  atEndOfTurn(() => {
    ran.push('first');
    atEndOfTurn(() => ran.push('second'));
  });
  await nextTurn();
  expect(ran).toEqual(['first']);
  await nextTurn();
  expect(ran).toEqual(['first', 'second']);
});
