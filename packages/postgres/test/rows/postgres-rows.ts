import {
  createWakes,
  noTransaction,
  type Plan,
  perform,
  type RowStore,
  type RowTx,
  type StoreWake,
  type Table,
} from '@partnerkit/core/adapter';
import type { SqlDriver } from '../../src/index.ts';
import { rowOperations } from './operations.ts';
import { createTable, prefix, seedTable } from './shape.ts';

/** How often a plan runs before its deadlock counts as an error. */
const maxTries = 10;
const isConflict = (cause: unknown): boolean =>
  ['40P01', '40001'].includes(String((cause as { readonly code?: unknown } | undefined)?.code));

/** The statements that make tables anew, with the rows that they begin with. */
export const createTables = (tables: readonly Table[]): string =>
  tables
    .flatMap((table) => [`drop table if exists ${prefix}${table.name}`, createTable(table), seedTable(table)])
    .filter((text) => text !== '')
    .join(';\n');
/** The statements that empty them. */
export const emptyTables = (tables: readonly Table[]): string =>
  tables
    .flatMap((table) => [`delete from ${prefix}${table.name}`, seedTable(table)])
    .filter((text) => text !== '')
    .join(';\n');

/** The clock of the server. */
const serverTime = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now';

/**
 * Rows in tables of PostgreSQL, which core's plans read and write: the slow way, without a statement for any call. It
 * holds the calls of core to the suites on a database with locks and many connections.
 * @param now - The time of the store. Default: the server's clock.
 */
export const postgresRows = <Tx extends object>(driver: SqlDriver<Tx>, now?: () => number): RowStore<Tx> => {
  const wakes = createWakes();
  /** What plans woke in a transaction of this store. */
  const wokenBy = new WeakMap<Tx, StoreWake[]>();
  const last = new WeakMap<Tx, Promise<unknown>>();
  const notify = (woken: readonly StoreWake[]): void => {
    for (const wake of woken) wakes.wake(wake);
  };
  const operationsIn = (tx: Tx): RowTx =>
    rowOperations(
      (text, values) => driver.queryIn(tx, text, values),
      async () => now?.() ?? Number((await driver.queryIn(tx, serverTime, []))[0]?.['now']),
      (wake) => wokenBy.get(tx)?.push(wake),
    );

  const transaction: RowStore<Tx>['transaction'] = async (work, options) => {
    const woken: StoreWake[] = [];
    const value = await driver.transaction(async (tx) => {
      wokenBy.set(tx, woken);
      return work(tx);
    }, options);
    notify(woken);
    return value;
  };

  const joinNow = async <T>(tx: Tx, plan: (rows: RowTx) => Plan<T>): Promise<T> => {
    await driver.queryIn(tx, 'savepoint rows', []);
    try {
      return await perform(plan(operationsIn(tx)));
    } catch (cause) {
      await driver.queryIn(tx, 'rollback to savepoint rows', []);
      throw cause;
    }
  };

  return {
    run: async (mode, plan) => {
      for (let nth = 1; ; nth++) {
        try {
          return await transaction(async (tx) => {
            if (mode !== 'write')
              await driver.queryIn(tx, 'set transaction isolation level repeatable read, read only', []);
            return perform(plan(operationsIn(tx)));
          });
        } catch (cause) {
          if (!isConflict(cause) || nth === maxTries) throw cause;
        }
      }
    },
    join: async (tx, plan) => {
      if (typeof tx !== 'object' || tx === null) throw noTransaction();
      // After each other: they share a connection, and the name of a savepoint.
      const turn = (last.get(tx) ?? Promise.resolve()).then(() => joinNow(tx, plan));
      last.set(
        tx,
        turn.catch(() => undefined),
      );
      return turn;
    },
    transaction,
    watch: wakes.watch,
    watchFeeds: wakes.watchFeeds,
  };
};
