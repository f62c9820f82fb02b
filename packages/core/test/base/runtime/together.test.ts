import { expect, test } from 'vitest';
import { together } from '../../../src/base/runtime/together.ts';

/** Calls that end when the test says so. */
const open = () => {
  const calls: { readonly items: readonly string[]; end(): void; fail(error: Error): void }[] = [];
  const call = together(
    (items: readonly string[]) =>
      new Promise<readonly string[]>((resolve, reject) => {
        calls.push({ items, end: () => resolve(items.map((item) => item.toUpperCase())), fail: reject });
      }),
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { calls, call, turn };
};

test('items that are given while a call is under way go with the next one, and each has its own answer', async () => {
  const { calls, call, turn } = open();
  const first = [call('a'), call('b')];
  await turn();
  const second = [call('c'), call('d'), call('e')];
  await turn();
  expect(calls.map(({ items }) => items)).toEqual([['a', 'b']]);
  calls[0]?.end();
  expect(await Promise.all(first)).toEqual(['A', 'B']);
  await turn();
  expect(calls.map(({ items }) => items)).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ]);
  calls[1]?.end();
  expect(await Promise.all(second)).toEqual(['C', 'D', 'E']);
});

test('a call that rejects, rejects its own items; the next ones are called', async () => {
  const { calls, call, turn } = open();
  const [first, second] = [call('a'), call('b')];
  await turn();
  const third = call('c');
  calls[0]?.fail(new Error('storage'));
  await expect(first).rejects.toThrow('storage');
  await expect(second).rejects.toThrow('storage');
  await turn();
  calls[1]?.end();
  expect(await third).toBe('C');
});

test('a call that throws, too', async () => {
  const call = together((items: readonly number[]): Promise<readonly number[]> => {
    if (items.includes(0)) throw new Error('thrown');
    return Promise.resolve(items);
  });
  await expect(call(0)).rejects.toThrow('thrown');
  expect(await call(1)).toBe(1);
});
