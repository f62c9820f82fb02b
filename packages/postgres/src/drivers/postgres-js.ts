/**
 * Storage through postgres.js.
 * @module
 */
import type { Sql, TransactionSql } from 'postgres';
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from '../driver.ts';
import { lowerCased } from './names.ts';

/** How {@link fromPostgresJs} uses a connection. @public */
export interface PostgresJsOptions {
  /** Name statements, so that the server plans each once a connection. `false` behind a pooler that cannot. @defaultValue true */
  readonly prepare?: boolean;
  /** Hold a connection of its own while a worker sleeps, to be woken. @defaultValue true */
  readonly listen?: boolean;
}

/**
 * Storage over postgres.js; a transaction is what `sql.begin` hands over. Its `listen` connection is not one of the pool's.
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
  /** Those of ours: postgres.js goes on serving them, outside of any transaction, and has no sign of the end of a host's. */
  const ended = new WeakSet<TransactionSql>();
  return {
    query: (text, values) => run(sql, text, values),
    queryIn: async (tx, text, values) => {
      if (ended.has(tx) || 'begin' in tx || !('unsafe' in tx)) throw noTransaction();
      return run(tx, text, values);
    },
    transaction: async <T>(work: (tx: TransactionSql) => Promise<T>): Promise<T> => {
      // `begin` resolves to a copy of an array: the value goes by it.
      let value: { readonly of: T } | undefined;
      await sql.begin('isolation level read committed', async (tx) => {
        try {
          value = { of: await work(tx) };
        } finally {
          ended.add(tx);
        }
      });
      return (value as { readonly of: T }).of;
    },
    ...(listen ? { listen: listenOn(sql) } : {}),
  };
};

const listenOn =
  (sql: Sql): NonNullable<SqlDriver<TransactionSql>['listen']> =>
  async (channel, onNotify) => {
    const { unlisten } = await sql.listen(channel, onNotify);
    return unlisten;
  };
