import { err, ok, type Result, type ResultAsync } from '#result';
import type { AccountDirectory } from '../../base/accounts/account.ts';
import { type InvalidCursor, readPage } from '../../base/pagination/cursor.ts';
import { assertListOptions, type ListOptions } from '../../base/pagination/list-options.ts';
import type { Page, PageRequest } from '../../base/pagination/page.ts';
import type { Unavailable } from '../../base/runtime/call-port.ts';
import type { Failure } from '../../base/runtime/failure.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import { transactionKinds } from '../books/transaction.ts';
import { accountOf, callerOf, orUnavailable } from '../record/calls.ts';
import { type AccountRef, assertAccount } from '../record/record.ts';
import type {
  StoredTransaction,
  TransactionFilter,
  TransactionStore,
  TransactionTotal,
} from '../stores/transaction-store.ts';

/** The filters of a list of transactions, and its page. @public */
export type TransactionListOptions = ListOptions & Omit<TransactionFilter, 'children'>;

/**
 * The transactions of an account's payment requests and security deposits.
 *
 * - An account that the directory does not know returns `not_found`.
 * - An unknown option, and an account's id or a reference that is no text, throw a `TypeError`.
 * @public
 */
export interface RequestTransactions {
  /** Lists committed transactions by `settledAt`: oldest first unless `page.newestFirst`. */
  list(
    accountId: string,
    options?: TransactionListOptions,
  ): ResultAsync<Page<StoredTransaction>, Failure<'not_found'> | InvalidCursor | Unavailable>;
  /**
   * Finds the committed transactions with a reference of the processor, oldest first by `settledAt`: which object a
   * report belongs to. An empty list when there is none.
   */
  find(
    accountId: string,
    processorReference: string,
  ): ResultAsync<readonly StoredTransaction[], Failure<'not_found'> | Unavailable>;
  /**
   * Sums up the committed transactions that succeeded, by kind and currency. Reads every transaction that matches: the
   * time grows with their number.
   */
  sums(
    accountId: string,
    filter?: Omit<TransactionFilter, 'children'>,
  ): ResultAsync<readonly TransactionTotal[], Failure<'not_found'> | Unavailable>;
}

/** No object has such an id: skip the read. */
const isImpossible = ({ of }: TransactionFilter): boolean => of !== undefined && !isIdentifier(of.objectId);

/** A store of the host is not trusted. */
const isOf =
  (accounts: readonly AccountRef[]) =>
  ({ accountId, environment }: StoredTransaction): boolean =>
    accounts.some((each) => each.id === accountId && each.environment === environment);

/** Lists committed transactions. */
export const listTransactions = async (
  store: Pick<TransactionStore<never>, 'list'>,
  account: AccountRef,
  page: PageRequest,
  filter: TransactionFilter,
): Promise<Result<Page<StoredTransaction>, InvalidCursor>> => {
  assertAccount(account);
  if (isImpossible(filter)) return ok({ items: [] });
  const { settledFrom, settledTo, of, children } = filter;
  const within = [account.id, account.environment, page.newestFirst ?? false];
  const scope = ['transactions', ...within, settledFrom, settledTo, of?.object, of?.objectId, children !== undefined];
  const read = await readPage(scope, page, (opened) => store.list(account, opened, filter));
  const isOwn = isOf([account, ...(children ?? [])]);
  return read.map(({ items, ...rest }) => ({ ...rest, items: items.filter(isOwn) }));
};

/** Finds committed transactions by a reference of the processor. */
const findTransactions = async (
  store: Pick<TransactionStore<never>, 'find'>,
  account: AccountRef,
  reference: string,
): Promise<readonly StoredTransaction[]> => {
  if (!isIdentifier(reference)) return [];
  const found = await store.find(account, transactionKinds, reference);
  return found
    .filter(isOf([account]))
    .filter(({ processorReference }) => processorReference === reference)
    .toSorted((a, b) => a.settledAt - b.settledAt || (a.id < b.id ? -1 : 1));
};

const filters = { settledFrom: true, settledTo: true, of: true } as const;

/** The transactions as hosts read them. */
export const readTransactions = (
  store: Pick<TransactionStore<never>, 'find' | 'list' | 'sum'>,
  accounts: AccountDirectory,
): RequestTransactions => ({
  list: (accountId, options = {}) => {
    assertListOptions(callerOf('transactions', 'list', accountId), options, filters);
    const { page = {}, ...filter } = options;
    return orUnavailable(async (): Promise<Result<Page<StoredTransaction>, Failure<'not_found'> | InvalidCursor>> => {
      const account = await accountOf(accounts, accountId);
      return account.isErr() ? err(account.error) : listTransactions(store, account.value, page, filter);
    });
  },
  find: (accountId, processorReference) => {
    const caller = callerOf('transactions', 'find', accountId);
    if (typeof processorReference !== 'string') throw new TypeError(`${caller}: processorReference is a text.`);
    return orUnavailable(async () => {
      const account = await accountOf(accounts, accountId);
      if (account.isErr()) return err(account.error);
      return ok(await findTransactions(store, account.value, processorReference));
    });
  },
  sums: (accountId, filter = {}) => {
    assertOptionNames(callerOf('transactions', 'sums', accountId), filter, filters);
    return orUnavailable(async () => {
      const account = await accountOf(accounts, accountId);
      if (account.isErr()) return err(account.error);
      return ok(isImpossible(filter) ? [] : await store.sum(account.value, filter));
    });
  },
});
