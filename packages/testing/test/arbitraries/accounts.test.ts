import { reaches } from '@partnerkit/core';
import { memoryAccounts } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountArbitrary, accountsArbitrary } from '../../src/arbitraries/accounts.ts';
import { scriptedHost } from '../../src/scripted/host.ts';
import { many, runs, smallest } from './support.ts';

test('golden: the smallest account, and the smallest directory', () => {
  const account = { id: 'a', name: 'a', status: 'active', environment: 'prod' };
  expect(smallest(accountArbitrary())).toEqual(account);
  expect(smallest(accountsArbitrary())).toEqual([account]);
});

test('no account is its own parent; some have one, some have none', () => {
  const accounts = many(accountArbitrary());
  const child = smallest(accountArbitrary().filter(({ parentId }) => parentId !== undefined));
  // However far it is shrunk.
  expect(child.id).not.toBe(child.parentId);
  for (const has of [true, false]) expect(accounts.some((account) => 'parentId' in account === has)).toBe(true);
});

test('what the test fixes stays fixed', () => {
  const fixed = { id: 'acc_a', status: 'closed', parentId: 'acc_b' };
  for (const account of many(accountArbitrary(fixed))) expect(account).toMatchObject(fixed);
});

test('a directory finds each of its accounts, exactly as it was made', async () => {
  const property = fc.asyncProperty(accountsArbitrary(), async (accounts) => {
    const directory = memoryAccounts(accounts);
    for (const account of accounts) expect(await directory.find(account.id)).toBe(account);
  });
  await fc.assert(property, runs);
});

test('parents come before their children, so there is no circle', () => {
  const property = fc.property(accountsArbitrary(), (accounts) => {
    for (const [index, { parentId }] of accounts.entries()) {
      if (parentId !== undefined) expect(accounts.slice(0, index).map(({ id }) => id)).toContain(parentId);
    }
  });
  fc.assert(property, runs);
});

test('there are grandchildren, and children in another environment than their parent', () => {
  const found = many(accountsArbitrary()).flatMap((accounts) => {
    const parentOf = (id: string | undefined) => accounts.find((account) => account.id === id);
    return accounts.flatMap((account) => {
      const parent = parentOf(account.parentId);
      if (!parent) return [];
      return [parent.parentId === undefined ? 'child' : 'grandchild', parent.environment === account.environment];
    });
  });
  expect(new Set(found)).toEqual(new Set(['child', 'grandchild', true, false]));
});

test('every account can have a client, and its id stands in a path', async () => {
  const property = fc.asyncProperty(accountsArbitrary(), async (accounts) => {
    const { addClient, login, request } = await scriptedHost({ accounts });
    const own = accounts.find(({ status }) => status === 'active');
    if (!own) return;
    const token = await login(await addClient(own.id));
    for (const account of accounts) {
      const path = `/api/v1/partner/organisations/${encodeURIComponent(account.id)}/me`;
      const { status, body } = await request('GET', path, { token });
      expect(status).toBe(reaches(own, account) ? 200 : 404);
      if (status === 200) expect(JSON.parse(body).name).toBe(account.name);
    }
  });
  await fc.assert(property, runs);
});
