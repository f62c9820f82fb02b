import type { Account, AccountDirectory } from '../accounts/account.ts';

/**
 * A directory over a fixed list: for tests and demonstrations.
 * @public
 */
export const memoryAccounts = (accounts: readonly Account[]): AccountDirectory => {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return { find: async (accountId) => byId.get(accountId) };
};
