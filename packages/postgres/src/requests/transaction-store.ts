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
  /** Whether those of several accounts are read. Bound values of one account make the better plan. */
  readonly isOfSeveral: boolean;
  readonly newestFirst: boolean;
}

const [accountIds, environments] = [value('accountIds', 'text[]'), value('environments', 'text[]')];
const several = sql`unnest(${accountIds}, ${environments}) account(id, environment)`;

/** The rows of an account, or of one object. */
const isOwn = ({ isOfObject, isOfSeveral }: Pick<Shape, 'isOfObject' | 'isOfSeveral'>) => sql`
  ${isOfSeveral ? sql`r.account_id = account.id and r.environment = account.environment` : sql`r.account_id = ${accountId} and r.environment = ${environment}`}
  ${isOfObject ? sql`and object = ${value('object', 'text')} and object_id = ${value('objectId', 'text')}` : sql``}
  and ${plannedAnew(accountId)}`;
const [since, until] = [sql`settled_at >= ${value('from', 'float8')}`, sql`settled_at < ${value('to', 'float8')}`];

/**
 * Begins at a position, and ends with the period. A second condition on the beginning of the period, beside the
 * position, would be a filter: the server would read every row before it.
 */
const list = byShape((shape: Shape) => {
  const [follows, by, ends] = shape.newestFirst ? [sql`<`, sql`desc`, since] : [sql`>`, sql`asc`, until];
  const page = sql`select r.id, r.settled_at, r.transaction from ${t.request_transactions} r
    where ${isOwn(shape)} and ${ends} and (r.settled_at, r.id) ${follows} (${value('afterTime', 'float8')}, ${value('afterId', 'text')})
    order by r.settled_at ${by}, r.id ${by} limit ${value('limit', 'int')}`;
  // Of each account, at most a page is read in the order of its index.
  const rows = shape.isOfSeveral
    ? sql`(select part.* from ${several} cross join lateral (${page}) part order by settled_at ${by}, id ${by} limit ${value('limit', 'int')})`
    : sql`(${page})`;
  return statement`select id, settled_at::text as at, transaction from ${rows} page order by settled_at ${by}, id ${by}`;
});

/** Reads an index that has all of it. */
const sum = byShape((shape: Pick<Shape, 'isOfObject' | 'isOfSeveral'>) => {
  const rows = sql`select r.kind, r.currency, r.amount, r.fee from ${t.request_transactions} r
    where ${isOwn(shape)} and ${since} and ${until} and r.status = 'succeeded'`;
  const all = shape.isOfSeveral ? sql`${several} cross join lateral (${rows}) part` : sql`(${rows}) part`;
  return statement`select kind, currency, count(*)::text as count, sum(amount)::text as amount, sum(fee)::text as fee
    from ${all} group by kind, currency order by kind, currency`;
});

const readCursor = (cursor: string): readonly [at: number, id: string] | undefined => {
  const [, at, id = ''] = /^(\d{1,15}(?:\.\d{1,9})?)_(.{1,256})$/s.exec(cursor) ?? [];
  return id.length > 0 && id.isWellFormed() && !id.includes('\0') ? [Number(at), id] : undefined;
};
/** Times before and after all others, in a form that every driver binds. */
const [beginning, end] = [-1, Number.MAX_SAFE_INTEGER];

const valuesOf = (account: { readonly id: string; readonly environment: string }, filter: TransactionFilter) => {
  const { settledFrom: from = beginning, settledTo: to = end, of, children = [] } = filter;
  const accounts = [account, ...children];
  const [accountIds, environments] = [accounts.map(({ id }) => id), accounts.map((each) => each.environment)];
  const own = { accountId: account.id, environment: account.environment, accountIds, environments };
  return { ...own, from, to, object: of?.object ?? '', objectId: of?.objectId ?? '' };
};

const shapeOf = ({ of, children = [] }: TransactionFilter) => ({
  isOfObject: of !== undefined,
  isOfSeveral: children.length > 0,
});

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
      const shape = { ...shapeOf(filter), newestFirst };
      const rows = await run(list(shape), { ...values, afterTime, afterId, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      const items = shown.map(({ transaction }): StoredTransaction => JSON.parse(String(transaction)));
      const last = shown.at(-1);
      return last && rows.length > limit ? { items, next: `${last['at']}_${last['id']}` } : { items };
    },
    sum: async (account, filter = {}) => {
      const rows = await run(sum(shapeOf(filter)), valuesOf(account, filter));
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
