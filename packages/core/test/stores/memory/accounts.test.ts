import { expect, test } from 'vitest';
import { memoryAccounts } from '../../../src/stores/memory/accounts.ts';

test('finds an account by its exact id', async () => {
  const account = { id: 'acc', name: 'n', status: 'active', environment: 'prod' };
  const directory = memoryAccounts([account]);
  expect(await directory.find('acc')).toBe(account);
  for (const other of ['ACC', 'acc ', '', '__proto__', 'constructor'])
    expect(await directory.find(other)).toBeUndefined();
});
