/**
 * Storage through Knex.
 * @module
 */
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from '../driver.ts';
import { type ListenOptions, listening } from './listening.ts';
import { lowerCased } from './names.ts';
import { statementNames } from './statement-names.ts';

/** What runs statements of Knex: a database or a transaction. @public */
export interface KnexQueryable {
  raw(sql: string): {
    options(options: { readonly name?: string; readonly values: readonly unknown[] }): PromiseLike<unknown>;
  };
}

/** What is needed of a transaction of Knex. @public */
export interface KnexTransaction extends KnexQueryable {
  isCompleted(): boolean;
}

/** What is needed of Knex with its client `pg`. @public */
export interface KnexDatabase<Tx> extends KnexQueryable {
  transaction<T>(work: (tx: Tx) => Promise<T>, config: { isolationLevel: 'read committed' }): Promise<T>;
}

/** How {@link fromKnex} uses a connection. @public */
export interface KnexOptions extends ListenOptions {
  /** Name statements, so that the server plans each once a connection. `false` behind a pooler that cannot. @defaultValue true */
  readonly prepare?: boolean;
}

/**
 * Storage over Knex with its client `pg`; a transaction is what `knex.transaction` hands over or resolves to, also a nested one.
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
    // A name makes it a single statement: what binds nothing may hold several.
    const named = prepare && values.length > 0 ? { name: nameOf(text) } : {};
    // Bound past Knex: its own bindings are `?`, each of them another.
    const result = await on.raw(text.replaceAll('?', '\\?')).options({ ...named, values });
    return lowerCased((result as { readonly rows?: readonly SqlRow[] }).rows ?? []);
  };
  return {
    query: (text, values) => run(knex, text, values),
    queryIn: async (tx, text, values) => {
      if (!('isCompleted' in tx) || tx.isCompleted()) throw noTransaction();
      return run(tx, text, values);
    },
    transaction: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      // Knex takes a rejection with `undefined` for a wish to roll back, and resolves.
      const outcome: { failed?: { readonly cause: unknown } } = {};
      const rolledBack = (cause: unknown): never => {
        outcome.failed = { cause };
        throw cause;
      };
      const value = await knex.transaction((tx) => work(tx).catch(rolledBack), { isolationLevel: 'read committed' });
      if (outcome.failed) throw outcome.failed.cause;
      return value;
    },
    ...listening(options),
  };
};
