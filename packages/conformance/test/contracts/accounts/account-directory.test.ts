import type { Account, AccountDirectory } from '@partnerkit/core';
import { memoryAccounts } from '@partnerkit/core/memory';
import { describe, test } from 'vitest';
import { type AccountDirectoryFixture, accountDirectoryContract } from '../../../src/contracts/index.ts';
import { type Double, findsEveryFault, meanwhile } from '../support/doubles.ts';

const known: readonly Account[] = [
  { id: 'org-Érables', name: 'Gîte des Érables 🏡', status: 'active', environment: 'prod' },
  { id: 'org-child', name: 'Child', status: 'closed', environment: 'prod', parentId: 'org-Érables' },
  { id: 'org-second', name: 'Second', status: 'active', environment: 'dev', parentId: 'org-Érables' },
  { id: 'org-third', name: 'Third', status: 'active', environment: 'prod', parentId: 'org-Érables' },
  { id: '3f1c9a4e-5d0b-4c7e-9b1a-2f6d8e7c0a55', name: 'Other', status: 'active', environment: 'dev' },
];
const create = async (): Promise<AccountDirectoryFixture> => ({ accounts: memoryAccounts(known), known });

describe('memory', () => {
  accountDirectoryContract({ test, create });
});

const broken = (
  how: string,
  breaks: Double<AccountDirectoryFixture>['breaks'],
  change: (find: AccountDirectory['find']) => AccountDirectory['find'],
): Double<AccountDirectoryFixture> => ({
  how,
  breaks,
  make: (fixture) => ({ ...fixture, accounts: { ...fixture.accounts, find: change(fixture.accounts.find) } }),
});
const listed = 'the children of an account are listed, each once, with any page size and in both directions';
type List = NonNullable<AccountDirectory['listChildren']>;
const mislisting = (how: string, breaks: string, change: (list: List) => List): Double<AccountDirectoryFixture> => ({
  how,
  breaks: [breaks],
  make: ({ accounts, ...fixture }) => ({
    ...fixture,
    accounts: { ...accounts, listChildren: change(accounts.listChildren as List) },
  }),
});
const alike = 'a similar id does not match the account';

const doubles: readonly Double<AccountDirectoryFixture>[] = [
  mislisting(
    'children are listed by every page',
    listed,
    (list) =>
      async (id, { limit: _limit, ...page }) =>
        list(id, page),
  ),
  mislisting(
    'the last page is the first one again',
    listed,
    (list) =>
      (id, { after: _after, ...page }) =>
        list(id, page),
  ),
  mislisting(
    'the oldest child comes first, whatever is asked for',
    listed,
    (list) =>
      (id, { newestFirst: _newest, ...page }) =>
        list(id, page),
  ),
  mislisting('grandchildren are children', listed, (list) => async (id, page) => {
    const read = await list(id, page);
    return id === 'org-third' ? { items: known.slice(0, 1) } : read;
  }),
  mislisting(
    'any cursor begins anew',
    'a cursor that no list of children returned is reported',
    (list) => async (id, page) => {
      const read = await list(id, page);
      return read.invalidCursor ? list(id, { ...page, after: undefined as never }) : read;
    },
  ),
  broken('children have no parent', ['an account is found by its id, with all its fields'], (find) => async (id) => {
    const { parentId: _parentId, ...account } = (await find(id)) ?? {};
    return 'id' in account ? (account as Account) : undefined;
  }),
  broken(
    'ids are compared without regard to case',
    [alike],
    () => async (id) => known.find((account) => account.id.toLowerCase() === id.toLowerCase()),
  ),
  broken('ids are compared without trailing blanks', [alike], (find) => (id) => find(id.trimEnd())),
  broken('ids are compared in one normal form', [alike], (find) => (id) => find(id.normalize('NFC'))),
  broken('ids are patterns', [alike], () => async (id) => {
    const [start = '', ...rest] = id.split('%');
    return known.find((account) => account.id === id || (rest.length > 0 && account.id.startsWith(start)));
  }),
  broken('what is no id is an error', ['an unknown id is not found, whatever its form'], (find) => async (id) => {
    if (!/^[\w-]+$/.test(id)) throw new Error('invalid input syntax for type uuid');
    return find(id);
  }),
  broken(
    'who is not found is the first',
    ['an unknown id is not found, whatever its form'],
    (find) => async (id) => (await find(id)) ?? known[0],
  ),
  broken('questions at one time get one answer', ['simultaneous lookups are not confused'], (find) => {
    let asked = '';
    return async (id) => {
      asked = id;
      await meanwhile();
      return find(asked);
    };
  }),
];

findsEveryFault(accountDirectoryContract, create, doubles);
