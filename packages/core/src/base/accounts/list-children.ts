import type { Result } from '#result';
import { type InvalidCursor, readPage } from '../pagination/cursor.ts';
import { type Page, type PageRequest, pageLimit } from '../pagination/page.ts';
import { compareBytes } from '../runtime/byte-order.ts';
import { wrongAnswer } from '../runtime/wrong-answer.ts';
import type { Account, AccountDirectory } from './account.ts';
import { checkedAccount, lookUpReached } from './find-account.ts';
import { canAccess, type EnvironmentReach } from './reach.ts';

/** Reads a page of the children that an account can access. `only`: those of these ids, in the order of their ids. */
export type ListChildren = (
  own: Account,
  page: PageRequest,
  only?: readonly string[],
) => Promise<Result<Page<Account>, InvalidCursor>>;

/** A page of ids in the order of their bytes. A cursor is valid although its id is gone. */
const pageOfIds = (ids: readonly string[], page: PageRequest): Page<string> => {
  const { after, newestFirst = false } = page;
  const direction = newestFirst ? -1 : 1;
  const rest = [...new Set(ids)]
    .toSorted((a, b) => compareBytes(a, b) * direction)
    .filter((id) => after === undefined || compareBytes(id, after) * direction > 0);
  const items = rest.slice(0, pageLimit(page));
  const last = items.at(-1);
  return last !== undefined && items.length < rest.length ? { items, next: last } : { items };
};

/** Lists children in the host's directory. `undefined`: it lists none. */
export const createListChildren = (
  accounts: AccountDirectory,
  environmentReach: EnvironmentReach,
): ListChildren | undefined => {
  if (!accounts.listChildren) return undefined;
  /** Finds each of them: a page of the directory, and its cursor, could name other children. */
  const listOnly = (own: Account, page: PageRequest, only: readonly string[]) =>
    readPage(['children', own.id, own.environment, page.newestFirst ?? false, 'only'], page, async (opened) => {
      const { items, ...rest } = pageOfIds(only, opened);
      const found = await Promise.all(
        items.filter((id) => id !== own.id).map((id) => lookUpReached(accounts, own, id, environmentReach)),
      );
      return { ...rest, items: found.filter((each) => each !== undefined) };
    });
  return async (own, page, only) => {
    if (only) return listOnly(own, page, only);
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

/**
 * All children that an account can access, or those of the ids `only`; `undefined` when there are more than one list
 * can have.
 */
export const readChildren = async (
  list: ListChildren,
  own: Account,
  only?: readonly string[],
): Promise<readonly Account[] | undefined> => {
  const children: Account[] = [];
  for (let after: string | undefined, isLast = false; !isLast; isLast = after === undefined) {
    const page = await list(own, { limit: 100, ...(after === undefined ? {} : { after }) }, only);
    if (page.isErr()) throw wrongAnswer('accounts.listChildren', 'the page that its own next names');
    children.push(...page.value.items);
    if (children.length > maxListedChildren) return undefined;
    after = page.value.next;
  }
  return children;
};
