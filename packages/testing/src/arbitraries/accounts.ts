import type { Account } from '@partnerkit/core';
import fc from 'fast-check';
import { identifierArbitrary } from './identifiers.ts';
import { recordOf } from './record-of.ts';

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
 * fc.assert(fc.property(accountArbitrary({ status: 'active' }), (account) => canAccess(account, account)));
 * @public
 */
export const accountArbitrary = (change: Partial<Account> = {}): fc.Arbitrary<Account> =>
  recordOf<Account>({ ...fields, parentId: identifierArbitrary() }, change, ['parentId']).filter(
    ({ id, parentId }) => id !== parentId,
  );
