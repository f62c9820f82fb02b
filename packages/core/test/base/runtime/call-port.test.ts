import { expect, test } from 'vitest';
import { err, ok } from '#result';
import { callPort } from '../../../src/base/runtime/call-port.ts';

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

test('the message is the remedy of partnerkit, where the cause has one, and never foreign text', async () => {
  const messageOf = async (cause: unknown) => (await callPort(() => Promise.reject(cause)))._unsafeUnwrapErr().message;
  const remedy = 'partnerkit: schema "public" is at version 0 and 2 is needed: run `npx @partnerkit/postgres migrate`.';
  expect(await messageOf(new Error(remedy))).toBe(remedy);
  for (const foreign of [
    new Error('password=SECRET'),
    new Error(`no ${remedy}`),
    remedy,
    { message: remedy },
    undefined,
  ])
    expect(await messageOf(foreign)).toBe('A port of the platform failed: see cause, and try again.');
});
