/**
 * Storage through postgres.js.
 * @module
 */
import type { Sql, TransactionSql } from 'postgres';
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from '../driver.ts';

/** How {@link fromPostgresJs} uses a connection. @public */
export interface PostgresJsOptions {
  /** Name statements, so that the server plans each once a connection. `false` behind a pooler that cannot. @defaultValue true */
  readonly prepare?: boolean;
}

/**
 * Storage over postgres.js; a transaction is what `sql.begin` hands over. Its `listen` connection is not one of the pool's.
 * @example
 * const sql = postgres(process.env.DATABASE_URL);
 * const storage = postgresStorage(fromPostgresJs(sql));
 * await sql.begin((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromPostgresJs = (sql: Sql, { prepare = true }: PostgresJsOptions = {}): SqlDriver<TransactionSql> => {
  const renames = sql.options.transform.column.from !== undefined;
  const run = async (
    on: Sql | TransactionSql,
    text: string,
    values: readonly SqlValue[],
  ): Promise<readonly SqlRow[]> => {
    const rows = await on.unsafe<SqlRow[]>(text, [...values], { prepare });
    // Our names are single lower-case words: that is how they are found again, whatever the host calls its own.
    return renames
      ? rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value])))
      : rows;
  };
  /** Those of ours: postgres.js goes on serving them, outside of any transaction. */
  const ended = new WeakSet<TransactionSql>();
  return {
    query: (text, values) => run(sql, text, values),
    queryIn: async (tx, text, values) => {
      if (ended.has(tx) || 'begin' in tx) throw new TypeError(noTransaction);
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
    listen: async (channel, onNotify) => {
      const { unlisten } = await sql.listen(channel, onNotify);
      return unlisten;
    },
  };
};
