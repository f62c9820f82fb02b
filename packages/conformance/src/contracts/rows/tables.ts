import { column, type RowOf, table } from '@partnerkit/core/adapter';

const { flag, identity, integer, json, number, optional, text } = column;

/** Orders of an account: every type of column, and a key of two. */
export const orders = table({
  name: 'contract_orders',
  columns: {
    account: text(),
    id: text(),
    position: identity(),
    amount: integer(),
    dueAt: number(),
    isPaid: flag(),
    note: optional(text()),
    data: json<unknown>(),
  },
  key: ['account', 'id'],
  indexes: {
    list: { columns: ['account', 'position'] },
    due: { columns: ['account', 'dueAt', 'id'] },
    largest: { columns: ['account', '-amount', 'id'] },
    note: { columns: ['note'], isUnique: true },
    open: { columns: ['account', 'id'] },
  },
});

/** A queue: the store assigns a part of its key. */
export const queue = table({
  name: 'contract_queue',
  columns: { account: text(), position: identity(), id: text() },
  key: ['account', 'position'],
  indexes: { list: { columns: ['account', 'position'] }, position: { columns: ['position'] } },
});

/** Jobs: an index of some rows, a column without value, rows from the beginning. */
export const jobs = table({
  name: 'contract_jobs',
  columns: { id: integer(), state: text<'open' | 'done'>(), owner: optional(text()) },
  key: ['id'],
  indexes: {
    all: { columns: ['id'] },
    open: { columns: ['id'], where: ['state', 'open'] },
    owner: { columns: ['owner', 'id'] },
  },
  seed: [1, 2, 3].map((id) => ({ id, state: 'open', owner: undefined })),
  isKept: true,
});

export const contractTables = [orders, queue, jobs] as const;

export type OrderRow = RowOf<typeof orders>;

/** An order to insert. */
export const order = (id: string, change: Partial<OrderRow> = {}): Omit<OrderRow, 'position'> => ({
  account: 'a',
  id,
  amount: 1,
  dueAt: 0,
  isPaid: false,
  note: undefined,
  data: {},
  ...change,
});
