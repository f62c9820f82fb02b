import { err, ok } from 'neverthrow';
import { expect, test } from 'vitest';
import { callPort } from '../../src/runtime/call-port.ts';

test('the result of a port is the value', async () => {
  expect(await callPort(async () => 7)).toEqual(ok(7));
});

test('a rejection and a throw are the same failure, with the cause', async () => {
  const cause = new Error('down');
  expect(await callPort(() => Promise.reject(cause))).toMatchObject(err({ code: 'unavailable', cause }));
  expect(
    await callPort(() => {
      throw cause;
    }),
  ).toMatchObject(err({ code: 'unavailable', cause }));
});

test('a rejection with nothing is a failure too', async () => {
  expect(await callPort(() => Promise.reject(undefined))).toMatchObject(err({ code: 'unavailable', cause: undefined }));
});
