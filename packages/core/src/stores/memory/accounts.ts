import type { Account, AccountDirectory } from '../../base/accounts/account.ts';
import { pageLimit } from '../../base/pagination/page.ts';
import { compareBytes } from '../../base/runtime/byte-order.ts';

/**
 * An account directory over a fixed list. For tests and demonstrations.
 * @example
 * const accounts = memoryAccounts([{ id: 'acc_1', name: 'Bellerive', status: 'active', environment: 'test' }]);
 * @public
 */
export const memoryAccounts = (accounts: readonly Account[]): AccountDirectory => {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const ordered = [...byId.values()].sort((a, b) => compareBytes(a.id, b.id));
  return {
    find: async (accountId) => byId.get(accountId),
    listChildren: async (accountId, page) => {
      const { after, newestFirst = false } = page;
      const children = ordered.filter(({ parentId }) => parentId === accountId);
      if (newestFirst) children.reverse();
      const start = after === undefined ? 0 : children.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && start === 0) return { items: [], invalidCursor: true };
      const end = start + pageLimit(page);
      const items = children.slice(start, end);
      const last = items.at(-1);
      return last && end < children.length ? { items, next: last.id } : { items };
    },
  };
};
