/**
 * Storage through Knex.
 * @module mysql/knex
 */
import { plainRows, resultOf, type SqlDriver, type SqlResult, type SqlTransactionOptions } from './driver.ts';
import { serverError } from './server-error.ts';
import { openTransactions } from './transactions.ts';

/** Runs statements of Knex: a database or a transaction. @public */
export interface KnexQueryable {
  /** Builds a raw statement. */
  raw(sql: string): {
    /** Sets options of mysql2; resolves to what mysql2 returns. */
    options(options: object): PromiseLike<unknown>;
  };
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

/** A statement whose result skips the host's `postProcessResponse`. */
const unprocessed = <Statement extends object>(statement: Statement): Statement => {
  const { client } = statement as { readonly client?: object };
  // Without it, the check proves the form of rows.
  if (client === undefined) return statement;
  const own = Object.create(client, { postProcessResponse: { value: (result: unknown) => result } });
  return Object.assign(statement, { client: own });
};

const run = async (on: KnexQueryable, text: string): Promise<SqlResult> => {
  try {
    return resultOf(((await unprocessed(on.raw(text)).options(plainRows)) as readonly unknown[])[0]);
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
