import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { Account, AccountDirectory } from '@partnerkit/core';
import { type Cases, type ContractOptions, type Fixture, runCases } from '../support/contract.ts';
import { allPages } from '../support/pages.ts';
import { race } from '../support/racers.ts';

/**
 * The directory of a host, and some of its accounts.
 * @public
 */
export interface AccountDirectoryFixture extends Fixture {
  /** The directory under test. */
  readonly accounts: AccountDirectory;
  /** Accounts of the directory, as core must receive them: two or more, one of them a child of another. */
  readonly known: readonly Account[];
}

/** Ids of other accounts that a database might match with `id`. */
const alike = (id: string): readonly string[] =>
  [
    id.toUpperCase(),
    id.toLowerCase(),
    `${id} `,
    ` ${id}`,
    `${id}\u00a0`,
    `${id}%`,
    `${id}_`,
    id.slice(0, -1),
    id.slice(1),
    `${id.slice(0, -1)}%`,
    `${id.slice(0, -1)}_`,
    id.normalize('NFD'),
    id.normalize('NFC'),
    `${id}\u0301`,
    `{${id}}`,
    id.replaceAll('-', ''),
    `0${id}`,
  ].filter((other) => other !== id);

const cases: Cases<AccountDirectoryFixture> = {
  'an account is found by its id, with all its fields': async ({ accounts, known }) => {
    ok(known.length >= 2, 'the fixture names two accounts at least');
    ok(
      known.some(({ parentId }) => known.some(({ id }) => id === parentId)),
      'the fixture has a child and its parent',
    );
    for (const account of known) {
      const { id, name, status, environment, parentId } = (await accounts.find(account.id)) ?? {};
      deepStrictEqual({ id, name, status, environment, parentId }, { parentId: undefined, ...account });
    }
  },
  'a similar id does not match the account': async ({ accounts, known }) => {
    for (const { id } of known) {
      for (const other of alike(id)) {
        const found = await accounts.find(other);
        ok(found === undefined || found.id === other, `looked up "${other}", found "${found?.id}"`);
      }
    }
  },
  'an unknown id is not found, whatever its form': async ({ accounts, known }) => {
    const ids = new Set(known.map(({ id }) => id));
    const forms = [
      '',
      'nobody',
      '0',
      '-1',
      'null',
      '*',
      '%',
      "' or ''='",
      '{"$ne":null}',
      '../../..',
      'é🏡',
      'x'.repeat(256),
    ];
    const uuids = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
    for (const id of [...forms, ...uuids, '__proto__', 'constructor'].filter((each) => !ids.has(each)))
      strictEqual(await accounts.find(id), undefined, `"${id}" was found`);
  },
  'the children of an account are listed, each once, with any page size and in both directions': async ({
    accounts,
    known,
  }) => {
    const list = accounts.listChildren?.bind(accounts);
    if (!list) return;
    for (const { id } of known) {
      const children = known.filter(({ parentId }) => parentId === id);
      const read = (limit: number, newestFirst = false): Promise<Account[]> =>
        allPages((page) => list(id, { ...page, newestFirst }), { limit });
      const ids = (await read(100)).map((child) => child.id);
      deepStrictEqual(ids.toSorted(), children.map((child) => child.id).toSorted());
      strictEqual((await list(id, { limit: 1 })).items.length, Math.min(children.length, 1));
      for (const limit of [1, 2]) deepStrictEqual(await read(limit), await read(100));
      deepStrictEqual((await read(1, true)).reverse(), await read(100));
    }
    deepStrictEqual((await list('nobody', {})).items, []);
  },
  'a cursor that no list of children returned is reported': async ({ accounts, known: [account] }) => {
    const read = await accounts.listChildren?.(account?.id ?? '', { after: 'no such cursor' });
    if (read) deepStrictEqual(read, { items: [], invalidCursor: true });
  },
  'simultaneous lookups are not confused': async ({ accounts, known }) => {
    const of = (index: number): string => known[index % known.length]?.id ?? '';
    const found = await race((index) => accounts.find(of(index)));
    for (const [index, account] of found.entries()) strictEqual(account?.id, of(index));
  },
};

/**
 * Tests the obligations of the `AccountDirectory` of a host.
 * @example
 * const known = [{ id: 'a', name: 'A', status: 'active', environment: 'prod' }];
 * accountDirectoryContract({ test, create: async () => ({ accounts: memoryAccounts(known), known }) });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const accountDirectoryContract = (options: ContractOptions<AccountDirectoryFixture>): void =>
  runCases(cases, options);
