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
import { boundsOf, cursorOf, type Position, positionOf } from './list.ts';

type TransactionRow = RowOf<typeof requestTransactions>;

/** A transaction without a name of the processor has its id for one. */
const rowOf = (transaction: StoredTransaction): TransactionRow => {
  const { accountId, environment, kind, id, object, objectId, settledAt, status, currency, amount } = transaction;
  const { processorReference: reference = id, number, fee = 0 } = transaction;
  const found = { accountId, environment, kind, reference, number, id, object, objectId, settledAt };
  return { ...found, status, currency, amount, fee, transaction };
};
const keyOf = ({ accountId, environment, kind, reference, number }: TransactionRow) =>
  [accountId, environment, kind, reference, number] as const;

const scan = <C extends keyof TransactionRow>(
  rows: RowTx,
  { id: accountId, environment }: AccountRef,
  { settledFrom: from, settledTo: to, of }: TransactionFilter,
  { last, ...options }: { last: Position | undefined; limit: number; newestFirst: boolean; columns: readonly C[] },
) => {
  const bounds = boundsOf({ from, to }, last, options.newestFirst);
  return of
    ? rows.scan(
        requestTransactions,
        'object',
        [{ prefix: [accountId, environment, of.object, of.objectId], ...bounds }],
        options,
      )
    : rows.scan(requestTransactions, 'settled', [{ prefix: [accountId, environment], ...bounds }], options);
};

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
    store.run('one', function* (rows) {
      const { after, newestFirst = false } = page;
      const last = after === undefined ? undefined : positionOf(after);
      if (after !== undefined && !last) return { items: [], invalidCursor: true };
      const limit = pageLimit(page);
      const options = { limit: limit + 1, newestFirst, columns: ['transaction'] as const };
      const found = yield* scan(rows, account, filter, { last, ...options });
      const items = found.slice(0, limit).map(({ transaction }) => transaction);
      const end = items.at(-1);
      return end && found.length > limit ? { items, next: cursorOf([end.settledAt, end.id]) } : { items };
    }),
  sum: (account, filter = {}) =>
    store.run('read', function* (rows): Plan<ReturnType<ReturnType<typeof createTotals>['all']>> {
      const totals = createTotals();
      const columns = ['id', 'kind', 'status', 'currency', 'amount', 'fee', 'settledAt'] as const;
      for (let last: Position | undefined; ; ) {
        const found: readonly Pick<TransactionRow, (typeof columns)[number]>[] = yield* scan(rows, account, filter, {
          last,
          limit: batch,
          newestFirst: false,
          columns,
        });
        totals.add(found);
        const end = found.at(-1);
        if (!end || found.length < batch) return totals.all();
        last = [end.settledAt, end.id];
        if (rows.yield) yield* rows.yield();
      }
    }),
});
