import type { Result } from '#result';
import { type InvalidCursor, readPage } from '../pagination/cursor.ts';
import type { Page, PageRequest } from '../pagination/page.ts';
import { wrongAnswer } from '../runtime/wrong-answer.ts';
import type { Account, AccountDirectory } from './account.ts';
import { checkedAccount } from './find-account.ts';
import { canAccess, type EnvironmentReach } from './reach.ts';

/** Reads a page of the children that an account can access. */
export type ListChildren = (own: Account, page: PageRequest) => Promise<Result<Page<Account>, InvalidCursor>>;

/** Lists children in the host's directory. `undefined`: it lists none. */
export const createListChildren = (
  accounts: AccountDirectory,
  environmentReach: EnvironmentReach,
): ListChildren | undefined => {
  if (!accounts.listChildren) return undefined;
  return async (own, page) => {
    const scope = ['children', own.id, own.environment, page.newestFirst ?? false];
    const read = await readPage(scope, page, async (opened) => {
      const found = await accounts.listChildren?.(own.id, opened);
      if (Array.isArray(found?.items)) return found;
      throw wrongAnswer('accounts.listChildren', 'a page: { items: accounts }, with next unless it is the last one');
    });
    // A directory of the host is not trusted: an account is not its own child, even if the directory says so.
    return read.map(({ items, ...rest }) => ({
      ...rest,
      items: items.map(checkedAccount).filter((each) => each.id !== own.id && canAccess(own, each, environmentReach)),
    }));
  };
};

/** Maximum number of children whose objects one list has: each costs a look into an index. */
export const maxListedChildren = 200;

/** All children that an account can access; `undefined` when there are more than one list can have. */
export const readChildren = async (list: ListChildren, own: Account): Promise<readonly Account[] | undefined> => {
  const children: Account[] = [];
  for (let after: string | undefined, isLast = false; !isLast; isLast = after === undefined) {
    const page = await list(own, { limit: 100, ...(after === undefined ? {} : { after }) });
    if (page.isErr()) throw wrongAnswer('accounts.listChildren', 'the page that its own next names');
    children.push(...page.value.items);
    if (children.length > maxListedChildren) return undefined;
    after = page.value.next;
  }
  return children;
};
