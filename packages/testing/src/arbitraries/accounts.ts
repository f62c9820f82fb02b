import type { Account } from '@partnerkit/core';
import fc from 'fast-check';
import { identifierArbitrary } from './identifiers.ts';
import { recordOf } from './record-of.ts';

const mostAccounts = 8;

const fields = {
  id: identifierArbitrary(),
  name: identifierArbitrary(),
  status: fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: fc.constant('active') },
    { weight: 1, arbitrary: fc.constantFrom('closed', 'suspended', 'pending') },
  ),
  environment: fc.constantFrom('prod', 'dev'),
};

/**
 * Accounts, with a parent and without one; none is its own parent.
 * @example
 * fc.assert(fc.property(accountArbitrary({ status: 'active' }), (account) => reaches(account, account)));
 * @public
 */
export const accountArbitrary = (change: Partial<Account> = {}): fc.Arbitrary<Account> =>
  recordOf<Account>({ ...fields, parentId: identifierArbitrary() }, change, ['parentId']).filter(
    ({ id, parentId }) => id !== parentId,
  );

/**
 * What a host's directory holds: 1 to 8 accounts of different ids, whose parents are among them, without a circle. Most
 * children are in the environment of their parent.
 * @example
 * const property = fc.asyncProperty(accountsArbitrary(), async (accounts) => {
 *   const directory = memoryAccounts(accounts);
 *   for (const account of accounts) deepStrictEqual(await directory.find(account.id), account);
 * });
 * await fc.assert(property);
 * @public
 */
export const accountsArbitrary = (): fc.Arbitrary<readonly Account[]> => {
  const member = fc.record({
    account: recordOf<Omit<Account, 'parentId'>>(fields, {}),
    /** Its place among those before it. */
    parent: fc.option(fc.nat(mostAccounts - 1), { freq: 3 }),
    moved: fc.nat(9).map((chance) => chance === 9),
  });
  return fc
    .uniqueArray(member, { minLength: 1, maxLength: mostAccounts, selector: ({ account }) => account.id })
    .map((members) => {
      const accounts: Account[] = [];
      for (const [index, { account, parent, moved }] of members.entries()) {
        const above = parent === null || index === 0 ? undefined : accounts[parent % index];
        const environment = above && !moved ? above.environment : account.environment;
        accounts.push({ ...account, environment, ...(above ? { parentId: above.id } : {}) });
      }
      return accounts;
    });
};
