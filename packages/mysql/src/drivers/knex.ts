/**
 * Storage through Knex.
 * @module mysql/knex
 */
import { resultOf, type SqlDriver, type SqlResult, type SqlTransactionOptions } from './driver.ts';
import { serverError } from './server-error.ts';
import { openTransactions } from './transactions.ts';

/** Runs statements of Knex: a database or a transaction. @public */
export interface KnexQueryable {
  /** Runs a raw statement; resolves to what mysql2 returns. */
  raw(sql: string): PromiseLike<unknown>;
}

/** The parts of a Knex transaction that storage calls. @public */
export interface KnexTransaction extends KnexQueryable {
  /** Whether it has ended. */
  isCompleted(): boolean;
}

/** The parts of Knex with its client `mysql2` that storage calls. @public */
export interface KnexDatabase<Tx> extends KnexQueryable {
  /** Runs `work` in a transaction. */
  transaction<T>(
    work: (tx: Tx) => Promise<T>,
    config: {
      /** Isolation level of the transaction. */
      isolationLevel: 'read committed' | 'repeatable read';
    },
  ): Promise<T>;
}

const run = async (on: KnexQueryable, text: string): Promise<SqlResult> => {
  try {
    return resultOf(((await on.raw(text)) as readonly unknown[])[0]);
  } catch (cause) {
    throw serverError(cause);
  }
};

/**
 * Storage over Knex with its client `mysql2`. A transaction is the argument of `knex.transaction`'s callback, or what
 * it resolves to, also nested.
 * @example
 * const storage = mysqlStorage(fromKnex(knex));
 * await knex.transaction((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromKnex = <Tx extends KnexTransaction>(knex: KnexDatabase<Tx>): SqlDriver<Tx> => {
  const begin = async <T>(
    isolationLevel: SqlTransactionOptions['isolation'],
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    // Knex treats a rejection with `undefined` as a requested rollback, and resolves.
    const outcome: { failed?: { readonly cause: unknown } } = {};
    const rolledBack = (cause: unknown): never => {
      outcome.failed = { cause };
      throw cause;
    };
    const value = await knex.transaction((tx) => work(tx).catch(rolledBack), { isolationLevel });
    if (outcome.failed) throw outcome.failed.cause;
    return value;
  };
  return {
    query: (text) => run(knex, text),
    ...openTransactions<Tx>({ begin, isOpen: (tx) => 'isCompleted' in tx && !tx.isCompleted(), run }),
  };
};
