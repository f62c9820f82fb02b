/**
 * Storage through Drizzle.
 * @module
 */
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from '../driver.ts';
import { type ListenOptions, listening } from './listening.ts';
import { lowerCased } from './names.ts';
import { statementNames } from './statement-names.ts';

/** What runs statements of Drizzle: a database or a transaction. @public */
export interface DrizzleQueryable {
  readonly _: {
    readonly session: {
      prepareQuery(
        query: { sql: string; params: unknown[] },
        fields: undefined,
        name: string | undefined,
        isResponseInArrayMode: boolean,
      ): { execute(): Promise<unknown> };
    };
  };
}

/** What is needed of a database of Drizzle, over `pg` or postgres.js. @public */
export interface DrizzleDatabase<Tx> extends DrizzleQueryable {
  transaction<T>(work: (tx: Tx) => Promise<T>, config: { isolationLevel: 'read committed' }): Promise<T>;
}

/** How {@link fromDrizzle} uses a connection. @public */
export interface DrizzleOptions extends ListenOptions {
  /** Name statements, so that the server plans each once a connection. `false` behind a pooler that cannot. @defaultValue true */
  readonly prepare?: boolean;
}

/** The connection of `pg` is the only sign of the end of a host's; postgres.js has none. */
const isOver = ({ _: { session } }: DrizzleQueryable): boolean => {
  const { client } = session as { readonly client?: { getTransactionStatus?(): string | null } };
  return client?.getTransactionStatus?.() === 'I';
};

/** Drizzle wraps what the server said, and quotes what was bound. */
const unwrapped = (cause: unknown): unknown =>
  cause instanceof Error && 'params' in cause && cause.cause instanceof Error ? cause.cause : cause;

/**
 * Storage over Drizzle, on `pg` or postgres.js; a transaction is what `db.transaction` hands over, also a nested one.
 * @example
 * const db = drizzle(pool);
 * const storage = postgresStorage(fromDrizzle(db, { listen: fromPg(pool) }));
 * await db.transaction((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromDrizzle = <Tx extends DrizzleQueryable>(
  db: DrizzleDatabase<Tx>,
  { prepare = true, ...options }: DrizzleOptions = {},
): SqlDriver<Tx> => {
  const nameOf = statementNames();
  const run = async (on: DrizzleQueryable, text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> => {
    // A name makes it a single statement: what binds nothing may hold several.
    const name = prepare && values.length > 0 ? nameOf(text) : undefined;
    const statement = { sql: text, params: [...values] };
    try {
      const result = await on._.session.prepareQuery(statement, undefined, name, false).execute();
      return lowerCased(Array.isArray(result) ? result : (result as { rows: SqlRow[] }).rows);
    } catch (cause) {
      throw unwrapped(cause);
    }
  };
  /** Those of ours. */
  const ended = new WeakSet<Tx>();
  return {
    query: (text, values) => run(db, text, values),
    queryIn: async (tx, text, values) => {
      if (!('rollback' in tx) || ended.has(tx) || isOver(tx)) throw noTransaction();
      return run(tx, text, values);
    },
    transaction: (work) =>
      db.transaction((tx) => work(tx).finally(() => ended.add(tx)), { isolationLevel: 'read committed' }),
    ...listening(options),
  };
};
