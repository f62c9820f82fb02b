import { expect, test } from 'vitest';
import { createGate } from '../../../src/base/runtime/gate.ts';

const turn = async (): Promise<void> => {
  for (let times = 0; times < 10; times += 1) await undefined;
};

test('so many calls run at once, others wait in order, and a failure hands its place over', async () => {
  const gate = createGate(2, 10, () => new Error('full'));
  const begun: number[] = [];
  const ends: ((fails: boolean) => void)[] = [];
  const calls = [0, 1, 2, 3].map((nth) =>
    gate(() => {
      begun.push(nth);
      return new Promise<number>((resolve, reject) => {
        ends[nth] = (fails) => (fails ? reject(new Error('broken')) : resolve(nth));
      });
    }).catch(({ message }: Error) => message),
  );
  await turn();
  expect(begun).toEqual([0, 1]);
  ends[1]?.(true);
  await turn();
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.(false);
  await turn();
  for (const nth of [2, 3]) ends[nth]?.(false);
  expect(await Promise.all(calls)).toEqual([0, 'broken', 2, 3]);
  // Both places are free again.
  expect(await Promise.all([4, 5].map((nth) => gate(async () => nth)))).toEqual([4, 5]);
});

test('a call beyond those that may wait is refused', async () => {
  const gate = createGate(1, 1, () => new Error('full'));
  let end = (): void => undefined;
  const first = gate(() => new Promise<void>((resolve) => (end = resolve)));
  const second = gate(async () => 'second');
  await expect(gate(async () => 'third')).rejects.toThrow('full');
  end();
  await first;
  expect(await second).toBe('second');
});
