/**
 * Storage through Knex.
 * @module postgres/knex
 */
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from './driver.ts';
import { type ListenOptions, listening } from './listening.ts';
import { statementNames } from './statement-names.ts';
import { openTransactions } from './transactions.ts';

/** Runs statements of Knex: a database or a transaction. @public */
export interface KnexQueryable {
  /** Builds a raw statement. */
  raw(sql: string): {
    /** Sets name and values. */
    options(options: {
      /** Name of a prepared statement. Absent: not prepared. */
      readonly name?: string;
      readonly values: readonly unknown[];
    }): PromiseLike<unknown>;
  };
}

/** The parts of a Knex transaction that storage calls. @public */
export interface KnexTransaction extends KnexQueryable {
  /** Whether it has ended. */
  isCompleted(): boolean;
}

/** The parts of Knex with its client `pg` that storage calls. @public */
export interface KnexDatabase<Tx> extends KnexQueryable {
  /** Runs `work` in a transaction. */
  transaction<T>(
    work: (tx: Tx) => Promise<T>,
    config: {
      /** Isolation level of the transaction. */
      isolationLevel: 'read committed';
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

/** Options of {@link fromKnex}. @public */
export interface KnexOptions extends ListenOptions {
  /**
   * Names statements, so that the server plans each once per connection. `false` behind a pooler without support for
   * prepared statements.
   * @defaultValue true
   */
  readonly prepare?: boolean;
}

/**
 * Storage over Knex with its client `pg`. A transaction is the argument of `knex.transaction`'s callback, or what it
 * resolves to, also nested.
 * @example
 * const storage = postgresStorage(fromKnex(knex));
 * await knex.transaction((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromKnex = <Tx extends KnexTransaction>(
  knex: KnexDatabase<Tx>,
  { prepare = true, ...options }: KnexOptions = {},
): SqlDriver<Tx> => {
  const nameOf = statementNames();
  const run = async (on: KnexQueryable, text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> => {
    // A named statement must be single; a text without values may contain several.
    const named = prepare && values.length > 0 ? { name: nameOf(text) } : {};
    // Values bypass Knex: its own placeholders are `?`, and cannot be repeated.
    const result = await unprocessed(on.raw(text.replaceAll('?', '\\?'))).options({ ...named, values });
    return (result as { readonly rows?: readonly SqlRow[] }).rows ?? [];
  };
  const begin = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    // Knex treats a rejection with `undefined` as a requested rollback, and resolves.
    const outcome: { failed?: { readonly cause: unknown } } = {};
    const rolledBack = (cause: unknown): never => {
      outcome.failed = { cause };
      throw cause;
    };
    const value = await knex.transaction((tx) => work(tx).catch(rolledBack), { isolationLevel: 'read committed' });
    if (outcome.failed) throw outcome.failed.cause;
    return value;
  };
  return {
    query: (text, values) => run(knex, text, values),
    queryIn: async (tx, text, values) => {
      if (!('isCompleted' in tx) || tx.isCompleted()) throw noTransaction();
      return run(tx, text, values);
    },
    transaction: openTransactions({ begin, describe: (tx) => ({ tx, run: (text) => run(tx, text, []) }) }),
    ...listening(options),
  };
};
