import {
  pageLimit,
  type StoredTransaction,
  type TransactionStore,
  type TransactionTotal,
} from '@partnerkit/core/adapter';
import type { TransactionFilter } from '@partnerkit/core/requests';
import { byShape } from '../database/by-shape.ts';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import { type Columns, row, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';

const [accountId, environment] = [value('accountId', 'text'), value('environment', 'text')];
const [kind, reference] = [value('kind', 'text'), value('reference', 'text')];

const columns: Columns<StoredTransaction> = {
  account_id: ['text', ({ accountId }) => accountId],
  environment: ['text', ({ environment }) => environment],
  kind: ['text', ({ kind }) => kind],
  // One without a name of the processor has its id for one.
  reference: ['text', ({ processorReference, id }) => processorReference ?? id],
  number: ['int', ({ number }) => number],
  id: ['text', ({ id }) => id],
  object: ['text', ({ object }) => object],
  object_id: ['text', ({ objectId }) => objectId],
  settled_at: ['float8', ({ settledAt }) => settledAt],
  status: ['text', ({ status }) => status],
  currency: ['text', ({ currency }) => currency],
  amount: ['bigint', ({ amount }) => amount],
  fee: ['bigint', ({ fee = 0 }) => fee],
  transaction: ['text', (transaction) => JSON.stringify(transaction)],
};
const fields = row('stored', columns);

/** Waits for the transaction that stores one with the same reference and number. */
const insert = statement`insert into ${t.request_transactions} (${fields.names}) values (${fields.stored})
  on conflict do nothing returning 1 as stored`;

const isNamed = sql`account_id = ${accountId} and environment = ${environment} and kind = ${kind} and reference = ${reference}`;
const remove = statement`delete from ${t.request_transactions}
  where ${isNamed} and number = ${value('number', 'int')} and ${plannedAnew(accountId)}`;
const findAll = statement`select transaction from ${t.request_transactions}
  where ${isNamed} and ${plannedAnew(accountId)} order by number`;

/** One search of the index for each kind. */
const find = statement`select transaction from ${t.request_transactions}
  where account_id = ${accountId} and environment = ${environment} and kind = any(${value('kinds', 'text[]')})
    and reference = ${reference} and ${plannedAnew(accountId)}
  order by array_position(${value('kinds', 'text[]')}, kind), number`;

interface Shape {
  /** Whether only those of one object are read. */
  readonly isOfObject: boolean;
  readonly newestFirst: boolean;
}

/** The rows of the account, or of one object. */
const isOwn = ({
  isOfObject,
}: Pick<Shape, 'isOfObject'>) => sql`account_id = ${accountId} and environment = ${environment}
  ${isOfObject ? sql`and object = ${value('object', 'text')} and object_id = ${value('objectId', 'text')}` : sql``}
  and ${plannedAnew(accountId)}`;
const [since, until] = [sql`settled_at >= ${value('from', 'float8')}`, sql`settled_at < ${value('to', 'float8')}`];

/**
 * Begins at a position, and ends with the period. A second condition on the beginning of the period, beside the
 * position, would be a filter: the server would read every row before it.
 */
const list = byShape((shape: Shape) => {
  const [follows, by, ends] = shape.newestFirst ? [sql`<`, sql`desc`, since] : [sql`>`, sql`asc`, until];
  return statement`select id, settled_at::text as at, transaction from ${t.request_transactions}
    where ${isOwn(shape)} and ${ends} and (settled_at, id) ${follows} (${value('afterTime', 'float8')}, ${value('afterId', 'text')})
    order by settled_at ${by}, id ${by} limit ${value('limit', 'int')}`;
});

/** Reads an index that has all of it. */
const sum = byShape(
  (
    shape: Pick<Shape, 'isOfObject'>,
  ) => statement`select kind, currency, count(*)::text as count, sum(amount)::text as amount, sum(fee)::text as fee
    from ${t.request_transactions} where ${isOwn(shape)} and ${since} and ${until} and status = 'succeeded' group by kind, currency order by kind, currency`,
);

const readCursor = (cursor: string): readonly [at: number, id: string] | undefined => {
  const [, at, id = ''] = /^(\d{1,15}(?:\.\d{1,9})?)_(.{1,256})$/s.exec(cursor) ?? [];
  return id.length > 0 && id.isWellFormed() && !id.includes('\0') ? [Number(at), id] : undefined;
};
/** Times before and after all others, in a form that every driver binds. */
const [beginning, end] = [-1, Number.MAX_SAFE_INTEGER];

const valuesOf = (account: { readonly id: string; readonly environment: string }, filter: TransactionFilter) => {
  const { settledFrom: from = beginning, settledTo: to = end, of } = filter;
  const period = { accountId: account.id, environment: account.environment, from, to };
  return { ...period, object: of?.object ?? '', objectId: of?.objectId ?? '' };
};

/** The transactions of payment requests and security deposits. */
export const createTransactionStore = <Tx extends object>({ run, runIn }: Database<Tx>): TransactionStore<Tx> => {
  const keyOf = ({ accountId, environment, kind, processorReference, number, id }: StoredTransaction) => {
    return { accountId, environment, kind, reference: processorReference ?? id, number };
  };

  return {
    insert: async (tx, transaction) => (await runIn(tx)(insert, { stored: transaction })).length > 0,
    remove: async (tx, transaction) => {
      await runIn(tx)(remove, keyOf(transaction));
    },
    findAll: async (tx, { id: accountId, environment }, kind, reference) => {
      const rows = await runIn(tx)(findAll, { accountId, environment, kind, reference });
      return rows.map(({ transaction }): StoredTransaction => JSON.parse(String(transaction)));
    },
    find: async ({ id: accountId, environment }, kinds, reference) => {
      const rows = await run(find, { accountId, environment, kinds: [...kinds], reference });
      return rows.map(({ transaction }): StoredTransaction => JSON.parse(String(transaction)));
    },
    list: async (account, page, filter = {}) => {
      const { after, newestFirst = false } = page;
      const cursor = after === undefined ? undefined : readCursor(after);
      if (after !== undefined && !cursor) return { items: [], invalidCursor: true };
      const values = valuesOf(account, filter);
      const { from, to } = values;
      const isWithin = cursor !== undefined && (newestFirst ? cursor[0] < to : cursor[0] >= from);
      // The empty text is before every id.
      const [afterTime, afterId] = isWithin ? cursor : ([newestFirst ? to : from, ''] as const);
      const limit = pageLimit(page);
      const shape = { isOfObject: filter.of !== undefined, newestFirst };
      const rows = await run(list(shape), { ...values, afterTime, afterId, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      const items = shown.map(({ transaction }): StoredTransaction => JSON.parse(String(transaction)));
      const last = shown.at(-1);
      return last && rows.length > limit ? { items, next: `${last['at']}_${last['id']}` } : { items };
    },
    sum: async (account, filter = {}) => {
      const rows = await run(sum({ isOfObject: filter.of !== undefined }), valuesOf(account, filter));
      return rows.map(({ kind, currency, count, amount, fee }) => ({
        kind: String(kind) as TransactionTotal['kind'],
        currency: String(currency),
        count: Number(count),
        amount: Number(amount),
        fee: Number(fee),
      }));
    },
  };
};
