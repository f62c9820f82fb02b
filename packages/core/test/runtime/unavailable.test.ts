import { err, ok } from 'neverthrow';
import { expect, test } from 'vitest';
import { ask } from '../../src/runtime/unavailable.ts';

test('the answer of a port is its value', async () => {
  expect(await ask(async () => 7)).toEqual(ok(7));
});

test('a rejection and a throw are the same failure, with the cause', async () => {
  const cause = new Error('down');
  expect(await ask(() => Promise.reject(cause))).toEqual(err({ code: 'unavailable', cause }));
  expect(
    await ask(() => {
      throw cause;
    }),
  ).toEqual(err({ code: 'unavailable', cause }));
});

test('a rejection with nothing is a failure too', async () => {
  expect(await ask(() => Promise.reject(undefined))).toEqual(err({ code: 'unavailable', cause: undefined }));
});
