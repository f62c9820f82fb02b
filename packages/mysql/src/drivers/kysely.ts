/**
 * Storage through Kysely.
 * @module mysql/kysely
 */
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { SqlDriver, SqlResult, SqlRow } from './driver.ts';
import { serverError } from './server-error.ts';
import { openTransactions } from './transactions.ts';

const run = async <DB>(on: Kysely<DB>, text: string): Promise<SqlResult> => {
  try {
    // Without plugins: they would rename columns.
    const { rows, numAffectedRows } = await on.withoutPlugins().executeQuery<SqlRow>(CompiledQuery.raw(text));
    return { rows, affectedRows: Number(numAffectedRows ?? 0) };
  } catch (cause) {
    throw serverError(cause);
  }
};

/**
 * Storage over Kysely with its MySQL dialect. A transaction is the argument of the callback of
 * `db.transaction().execute`.
 * @example
 * import { createPool } from 'mysql2';
 *
 * const db = new Kysely({ dialect: new MysqlDialect({ pool: createPool('mysql://localhost/payments') }) });
 * const storage = mysqlStorage(fromKysely(db));
 * await db.transaction().execute((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromKysely = <DB>(db: Kysely<DB>): SqlDriver<Transaction<DB>> => ({
  query: (text) => run(db, text),
  ...openTransactions<Transaction<DB>>({
    begin: (isolation, work) => db.transaction().setIsolationLevel(isolation).execute(work),
    isOpen: ({ isTransaction }) => isTransaction,
    run,
  }),
});
