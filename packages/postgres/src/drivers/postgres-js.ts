/**
 * Storage through postgres.js.
 * @module postgres/postgres-js
 */
import type { Sql, TransactionSql } from 'postgres';
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from './driver.ts';
import { lowerCased } from './names.ts';
import { revocableSql } from './revocable-sql.ts';
import { openTransactions } from './transactions.ts';

/** Options of {@link fromPostgresJs}. @public */
export interface PostgresJsOptions {
  /**
   * Names statements, so that the server plans each once per connection. `false` behind a pooler without support for
   * prepared statements.
   * @defaultValue true
   */
  readonly prepare?: boolean;
  /** Holds a connection of its own while a worker is idle, to wake it. @defaultValue true */
  readonly listen?: boolean;
}

/**
 * Storage over postgres.js. A transaction is the argument of `sql.begin`'s callback. The `listen` connection is not
 * part of the pool.
 * @example
 * const sql = postgres(process.env.DATABASE_URL ?? '');
 * const storage = postgresStorage(fromPostgresJs(sql));
 * await sql.begin((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromPostgresJs = (
  sql: Sql,
  { prepare = true, listen = true }: PostgresJsOptions = {},
): SqlDriver<TransactionSql> => {
  const renames = sql.options.transform.column.from !== undefined;
  const run = async (
    on: Sql | TransactionSql,
    text: string,
    values: readonly SqlValue[],
  ): Promise<readonly SqlRow[]> => {
    const rows = await on.unsafe<SqlRow[]>(text, [...values], { prepare });
    return renames ? lowerCased(rows) : rows;
  };
  const begin = async <T>(work: (tx: TransactionSql) => Promise<T>): Promise<T> => {
    // `begin` resolves to a copy of an array: return the value through a list.
    const values: T[] = [];
    await sql.begin('isolation level read committed', async (tx) => {
      values.push(await work(tx));
    });
    return values[0] as T;
  };
  return {
    query: (text, values) => run(sql, text, values),
    queryIn: async (tx, text, values) => {
      if ('begin' in tx || !('unsafe' in tx)) throw noTransaction();
      return run(tx, text, values);
    },
    transaction: openTransactions({
      begin,
      describe: (own) => ({
        ...revocableSql(own, noTransaction),
        run: (text) => run(own, text, []),
      }),
    }),
    ...(listen ? { listen: listenOn(sql) } : {}),
  };
};

const listenOn =
  (sql: Sql): NonNullable<SqlDriver<TransactionSql>['listen']> =>
  async (channel, onNotify) => {
    const { unlisten } = await sql.listen(channel, onNotify);
    return unlisten;
  };
