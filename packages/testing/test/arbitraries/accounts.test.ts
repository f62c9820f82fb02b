import { expect, test } from 'vitest';
import { accountArbitrary } from '../../src/arbitraries/accounts.ts';
import { many, smallest } from './support.ts';

test('an account has a parent or none, and is never its own parent', () => {
  const accounts = many(accountArbitrary());
  for (const has of [true, false]) expect(accounts.some((account) => 'parentId' in account === has)).toBe(true);
  // However far it is shrunk.
  const child = smallest(accountArbitrary().filter(({ parentId }) => parentId !== undefined));
  expect(child.id).not.toBe(child.parentId);
});

test('fixed fields stay fixed', () => {
  const fixed = { id: 'acc_a', status: 'closed', parentId: 'acc_b' };
  for (const account of many(accountArbitrary(fixed))) expect(account).toMatchObject(fixed);
});
