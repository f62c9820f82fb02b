import { expect, test } from 'vitest';
import { err, ok } from '#result';
import type { Account } from '../../../src/base/accounts/account.ts';
import { findAccount } from '../../../src/base/accounts/find-account.ts';

const account: Account = { id: 'acc', name: 'Name', status: 'active', environment: 'prod' };
const found = (answer: unknown, id = 'acc') => findAccount({ find: async () => answer as Account }, id);

test('finds the requested account', async () => {
  expect(await found(account)).toEqual(ok(account));
});

test.each([undefined, null, false])('%j is no account', async (answer) => {
  expect(await found(answer)).toEqual(ok(undefined));
});

test.each(['ACC', 'acc ', ' acc', 'Acc', 'acc\u0000', ''])('asked for %j, the account acc is not it', async (asked) => {
  expect(await found(account, asked)).toEqual(ok(undefined));
});

test.each(['name', 'status', 'environment'] as const)(
  'an account without %s is malformed: unavailable',
  async (field) => {
    for (const value of [undefined, null, 7, {}]) {
      const failure = (await found({ ...account, [field]: value }))._unsafeUnwrapErr();
      expect(failure.code).toBe('unavailable');
      expect(failure.cause).toBeInstanceOf(TypeError);
      expect(String(failure.cause)).toContain('accounts.find must return an account');
    }
  },
);

test.each([true, 1, 0, '', 'acc', [], [account], () => account])(
  '%j is a wrong answer: unavailable',
  async (answer) => {
    expect((await found(answer))._unsafeUnwrapErr().message).toBe(
      'partnerkit: accounts.find must return an account with id, name, status and environment, all strings, or undefined.',
    );
  },
);

test.each([undefined, null, 7])('an account with the id %j is malformed: unavailable', async (id) => {
  expect((await found({ ...account, id }))._unsafeUnwrapErr().code).toBe('unavailable');
});

test('a directory that fails is unavailable, with its cause', async () => {
  const cause = new Error('down');
  expect(await findAccount({ find: () => Promise.reject(cause) }, 'acc')).toMatchObject(
    err({ code: 'unavailable', cause }),
  );
  const throws = (): never => {
    throw cause;
  };
  expect(await findAccount({ find: throws }, 'acc')).toMatchObject(err({ code: 'unavailable', cause }));
});
