import { expect, test } from 'vitest';
import { err, errAsync, ok, okAsync } from '#result';
import { updateWithRetry } from '../../../src/base/runtime/update-with-retry.ts';

type Failure = { readonly code: 'not_found' | 'refused' };
const found = () => okAsync<number, Failure>(1);
const increment = (record: number) => ok<number, Failure>(record + 1);

test('stores the changed record and returns it', async () => {
  const stored: number[] = [];
  const result = await updateWithRetry<number, Failure>(found, increment, async (next) => stored.push(next) > 0);
  expect(result).toEqual(ok(2));
  expect(stored).toEqual([2]);
});

test('reads and tries again when another change came first, five times in all', async () => {
  let reads = 0;
  const find = () => okAsync<number, Failure>(10 * ++reads);
  const tried: number[] = [];
  const replace = async (next: number): Promise<boolean> => tried.push(next) === 5;
  expect(await updateWithRetry<number, Failure>(find, increment, replace)).toEqual(ok(51));
  expect(tried).toEqual([11, 21, 31, 41, 51]);
});

test('five lost races are changed_meanwhile', async () => {
  let tries = 0;
  const replace = async (): Promise<boolean> => ++tries < 0;
  expect(await updateWithRetry<number, Failure>(found, increment, replace)).toMatchObject(
    err({ code: 'changed_meanwhile' }),
  );
  expect(tries).toBe(5);
});

test('a record that is not found or cannot be changed is not stored', async () => {
  const replace = async (): Promise<boolean> => expect.unreachable();
  expect(
    await updateWithRetry<number, Failure>(() => errAsync({ code: 'not_found' }), increment, replace),
  ).toMatchObject(err({ code: 'not_found' }));
  expect(await updateWithRetry<number, Failure>(found, () => err({ code: 'refused' }), replace)).toMatchObject(
    err({ code: 'refused' }),
  );
});

test('a failing store is unavailable and is not called again', async () => {
  const cause = new Error('down');
  let asked = 0;
  const replace = async (): Promise<boolean> => {
    asked++;
    throw cause;
  };
  expect(await updateWithRetry<number, Failure>(found, increment, replace)).toMatchObject(
    err({ code: 'unavailable', cause }),
  );
  expect(asked).toBe(1);
});
