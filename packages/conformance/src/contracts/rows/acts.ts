import type { Plan, RowOf, RowStore, RowTx, Table } from '@partnerkit/core/adapter';
import type { Case, Fixture } from '../support/contract.ts';
import { type OrderRow, order, orders, queue } from './tables.ts';

/**
 * An empty row store. A database needs four or more simultaneous connections.
 * @example
 * const create = async (): Promise<RowStoreFixture<MemoryTransaction>> => {
 *   const clock = manualClock();
 *   return { open: async (tables) => memoryRows(tables, clock), storeNow: async () => clock.now() };
 * };
 * @public
 */
export interface RowStoreFixture<Tx extends object = object> extends Fixture {
  /** Opens a store of these tables, with the rows that they begin with. Called once. */
  open(tables: readonly Table[]): Promise<RowStore<Tx>>;
  /** The current time of the store. */
  storeNow(): Promise<number>;
}

/** A store of the contract. */
export interface World extends Pick<RowStoreFixture, 'storeNow'> {
  readonly store: RowStore<object>;
  /** Runs a plan that writes. */
  write<T>(plan: (rows: RowTx) => Plan<T>): Promise<T>;
  /** Runs a plan that reads. */
  read<T>(plan: (rows: RowTx) => Plan<T>): Promise<T>;
  /** Inserts orders, each as given. */
  add(...rows: readonly Omit<OrderRow, 'position'>[]): Promise<void>;
  /** The ids of the orders of account `a`. */
  ids(): Promise<readonly string[]>;
  /** The rows of the queue of account `a`. */
  queued(): Promise<readonly RowOf<typeof queue>[]>;
}

/** Cases on an open store. */
export type WorldCases = Readonly<Record<string, Case<World>>>;

export const openWorld = (store: RowStore<object>, storeNow: () => Promise<number>): World => {
  const write = <T>(plan: (rows: RowTx) => Plan<T>): Promise<T> => store.run('write', plan);
  const read = <T>(plan: (rows: RowTx) => Plan<T>): Promise<T> => store.run('read', plan);
  return {
    store,
    storeNow,
    write,
    read,
    add: (...rows) =>
      write(function* (tx) {
        yield* tx.insert(orders, rows, 'fail');
      }),
    ids: () =>
      read(function* (tx) {
        return (yield* tx.scan(orders, 'list', [{ prefix: ['a'] }])).map(({ id }) => id);
      }),
    queued: () =>
      read(function* (tx) {
        return yield* tx.scan(queue, 'list', [{ prefix: ['a'] }]);
      }),
  };
};

/** Changes the amount of an order, which it locks. */
export const raise = (id: string, by: number) =>
  function* (tx: RowTx): Plan<number> {
    const [row] = yield* tx.get(orders, [['a', id]], 'update');
    if (!row) throw new Error(`There is no order ${id}.`);
    yield* tx.put(orders, [{ ...row, amount: row.amount + by }]);
    return row.amount + by;
  };

export const insertOrder = (id: string, change: Partial<OrderRow> = {}) =>
  function* (tx: RowTx): Plan<boolean> {
    const [isNew] = yield* tx.insert(orders, [order(id, change)], 'ignore');
    return isNew === true;
  };

/** The amount of an order. */
export const amountOf = (id: string) =>
  function* (tx: RowTx): Plan<number | undefined> {
    const [row] = yield* tx.get(orders, [['a', id]]);
    return row?.amount;
  };
