import { pageLimit } from '../../../base/pagination/page.ts';
import type { AccountRef } from '../../../requests/record/record.ts';
import { createTotals } from '../../../requests/stores/totals.ts';
import type {
  StoredTransaction,
  TransactionFilter,
  TransactionStore,
} from '../../../requests/stores/transaction-store.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import type { RowOf } from '../port/table.ts';
import { requestTransactions } from '../tables/requests.ts';
import { boundsOf, compare, cursorOf, type Position, positionOf } from './list.ts';

type TransactionRow = RowOf<typeof requestTransactions>;

/** A transaction without a name of the processor has its id for one. */
const rowOf = (transaction: StoredTransaction): TransactionRow => {
  const { accountId, environment, kind, id, object, objectId, settledAt, status, currency, amount } = transaction;
  const { processorReference: reference = id, number, fee = 0 } = transaction;
  const found = { accountId, environment, kind, reference, number, id, object, objectId, settledAt };
  return { ...found, status, currency, amount, fee, transaction };
};
const keyOf = ({ accountId, environment, kind, reference, number }: Omit<Placed, 'settledAt' | 'id'>) =>
  [accountId, environment, kind, reference, number] as const;

interface Wanted {
  readonly accounts: readonly AccountRef[];
  readonly filter: TransactionFilter;
  readonly last: Position | undefined;
}

/** The rows of each account, in the order of the accounts, at most `limit` of each. */
const scan = <C extends keyof TransactionRow>(
  rows: RowTx,
  { accounts, filter: { settledFrom: from, settledTo: to, of }, last }: Wanted,
  { limit, ...options }: { readonly limit: number; readonly newestFirst: boolean; readonly columns: readonly C[] },
) => {
  const bounds = { ...boundsOf({ from, to }, last, options.newestFirst), limit };
  const prefixes = accounts.map(({ id, environment }) => [id, environment] as const);
  return of
    ? rows.scan(
        requestTransactions,
        'object',
        prefixes.map((prefix) => ({ prefix: [...prefix, of.object, of.objectId] as const, ...bounds })),
        options,
      )
    : rows.scan(
        requestTransactions,
        'settled',
        prefixes.map((prefix) => ({ prefix, ...bounds })),
        options,
      );
};

/** Of many accounts, few rows of each are wanted: the transactions themselves are read last. */
const placed = ['accountId', 'environment', 'kind', 'reference', 'number', 'settledAt', 'id'] as const;
type Placed = Pick<TransactionRow, (typeof placed)[number]>;

/** The next transactions of an account, or of several in one order. */
function* readNext(
  rows: RowTx,
  wanted: Wanted,
  options: { readonly limit: number; readonly newestFirst: boolean },
): Plan<readonly StoredTransaction[]> {
  if (wanted.accounts.length === 1) {
    const found = yield* scan(rows, wanted, { ...options, columns: ['transaction'] as const });
    return found.map(({ transaction }) => transaction);
  }
  const { limit, newestFirst } = options;
  const direction = newestFirst ? -1 : 1;
  const found: readonly Placed[] = yield* scan(rows, wanted, { ...options, columns: placed });
  const sorted = found.toSorted((a, b) => compare([a.settledAt, a.id], [b.settledAt, b.id]) * direction);
  const whole = yield* rows.get(requestTransactions, sorted.slice(0, limit).map(keyOf));
  return whole.flatMap((row) => row?.transaction ?? []);
}

/** The accounts of a list or a sum. */
const accountsOf = (account: AccountRef, { children = [] }: TransactionFilter) => [account, ...children];

/** Number of rows that a sum reads at once. */
const batch = 1_000;

/** The transactions of requests over rows. */
export const rowTransactions = <Tx extends object>(
  store: Pick<RowStore<Tx>, 'run' | 'join'>,
): TransactionStore<Tx> => ({
  insert: (tx, transaction) =>
    store.join(tx, function* (rows) {
      const [isNew = false] = yield* rows.insert(requestTransactions, [rowOf(transaction)], 'ignore');
      return isNew;
    }),
  remove: (tx, transaction) =>
    store.join(tx, function* (rows) {
      yield* rows.delete(requestTransactions, [keyOf(rowOf(transaction))]);
    }),
  findAll: (tx, account, kind, reference) =>
    store.join(tx, function* (rows) {
      const prefix = [account.id, account.environment, kind, reference] as const;
      const found = yield* rows.scan(requestTransactions, 'reference', [{ prefix }], { columns: ['transaction'] });
      return found.map(({ transaction }) => transaction);
    }),
  find: (account, kinds, reference) =>
    store.run('read', function* (rows) {
      const ranges = kinds.map((kind) => ({ prefix: [account.id, account.environment, kind, reference] as const }));
      const found = yield* rows.scan(requestTransactions, 'reference', ranges, { columns: ['transaction'] });
      return found.map(({ transaction }) => transaction);
    }),
  list: (account, page, filter = {}) =>
    store.run(accountsOf(account, filter).length === 1 ? 'one' : 'read', function* (rows) {
      const { after, newestFirst = false } = page;
      const last = after === undefined ? undefined : positionOf(after);
      if (after !== undefined && !last) return { items: [], invalidCursor: true };
      const limit = pageLimit(page);
      const found: readonly StoredTransaction[] = yield* readNext(
        rows,
        { accounts: accountsOf(account, filter), filter, last },
        { limit: limit + 1, newestFirst },
      );
      const items = found.slice(0, limit);
      const end = items.at(-1);
      return end && found.length > limit ? { items, next: cursorOf([end.settledAt, end.id]) } : { items };
    }),
  sum: (account, filter = {}) =>
    store.run('read', function* (rows): Plan<ReturnType<ReturnType<typeof createTotals>['all']>> {
      const totals = createTotals();
      const columns = ['id', 'kind', 'status', 'currency', 'amount', 'fee', 'settledAt'] as const;
      for (const each of accountsOf(account, filter))
        for (let last: Position | undefined, isLast = false; !isLast; ) {
          const wanted = { accounts: [each], filter, last };
          const found: readonly Pick<TransactionRow, (typeof columns)[number]>[] = yield* scan(rows, wanted, {
            limit: batch,
            newestFirst: false,
            columns,
          });
          totals.add(found);
          const end = found.at(-1);
          isLast = found.length < batch;
          if (end) last = [end.settledAt, end.id];
          if (rows.yield && !isLast) yield* rows.yield();
        }
      return totals.all();
    }),
});
