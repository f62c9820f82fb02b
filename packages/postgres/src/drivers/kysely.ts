/**
 * Storage through Kysely.
 * @module postgres/kysely
 */
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from './driver.ts';
import { type ListenOptions, listening } from './listening.ts';
import { openTransactions } from './transactions.ts';

/**
 * Storage over Kysely with its PostgreSQL dialect. A transaction is the argument of the callback of
 * `db.transaction().execute`.
 * @example
 * const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
 * const storage = postgresStorage(fromKysely(db, { listen: fromPg(pool) }));
 * await db.transaction().execute((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromKysely = <DB>(db: Kysely<DB>, options: ListenOptions = {}): SqlDriver<Transaction<DB>> => {
  const run = async (on: Kysely<DB>, text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> =>
    // Without plugins: they would rename columns.
    (await on.withoutPlugins().executeQuery<SqlRow>(CompiledQuery.raw(text, [...values]))).rows;
  return {
    query: (text, values) => run(db, text, values),
    queryIn: async (tx, text, values) => {
      if (!tx.isTransaction) throw noTransaction();
      return run(tx, text, values);
    },
    transaction: openTransactions({
      begin: (work) => db.transaction().setIsolationLevel('read committed').execute(work),
      describe: (tx) => ({ tx, run: (text) => run(tx, text, []) }),
    }),
    ...listening(options),
  };
};
