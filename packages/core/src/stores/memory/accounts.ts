import type { Account, AccountDirectory } from '../../base/accounts/account.ts';

/**
 * An account directory over a fixed list. For tests and demonstrations.
 * @public
 */
export const memoryAccounts = (accounts: readonly Account[]): AccountDirectory => {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return { find: async (accountId) => byId.get(accountId) };
};
