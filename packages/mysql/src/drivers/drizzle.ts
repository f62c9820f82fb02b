/**
 * Storage through Drizzle.
 * @module mysql/drizzle
 */
import { resultOf, type SqlDriver, type SqlResult } from './driver.ts';
import { serverError } from './server-error.ts';
import { openTransactions } from './transactions.ts';

/** Runs statements of Drizzle: a database or a transaction. @public */
export interface DrizzleQueryable {
  /** Runs a statement; resolves to what mysql2 returns. */
  execute(text: string): PromiseLike<unknown>;
}

/** The parts of a Drizzle database that storage calls, over mysql2. @public */
export interface DrizzleDatabase<Tx> extends DrizzleQueryable {
  /** Runs `work` in a transaction. */
  transaction<T>(
    work: (tx: Tx) => Promise<T>,
    config: {
      /** Isolation level of the transaction. */
      isolationLevel: 'read committed' | 'repeatable read';
    },
  ): Promise<T>;
}

const run = async (on: DrizzleQueryable, text: string): Promise<SqlResult> => {
  try {
    return resultOf(((await on.execute(text)) as readonly unknown[])[0]);
  } catch (cause) {
    throw serverError(cause);
  }
};

/**
 * Storage over Drizzle on mysql2. A transaction is the argument of `db.transaction`'s callback, also nested.
 * @example
 * import { drizzle } from 'drizzle-orm/mysql2';
 *
 * const db = drizzle({ client: createPool('mysql://localhost/payments') });
 * const storage = mysqlStorage(fromDrizzle(db));
 * await db.transaction((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromDrizzle = <Tx extends DrizzleQueryable>(db: DrizzleDatabase<Tx>): SqlDriver<Tx> => ({
  query: (text) => run(db, text),
  ...openTransactions<Tx>({
    begin: (isolationLevel, work) => db.transaction(work, { isolationLevel }),
    isOpen: (tx) => 'rollback' in tx,
    run,
  }),
});
