/**
 * Storage through Drizzle.
 * @module postgres/drizzle
 */
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from './driver.ts';
import { type ListenOptions, listening } from './listening.ts';
import { lowerCased } from './names.ts';
import { revocableSql } from './revocable-sql.ts';
import { statementNames } from './statement-names.ts';
import { openTransactions } from './transactions.ts';

/** Runs statements of Drizzle: a database or a transaction. @public */
export interface DrizzleQueryable {
  /** Drizzle's internals. */
  readonly _: {
    /** Runs statements on its connection. */
    readonly session: {
      /** Prepares a statement. */
      prepareQuery(
        query: {
          /** Text with `$1`, `$2`, …. */
          sql: string;
          /** The values. */
          params: unknown[];
        },
        fields: undefined,
        name: string | undefined,
        isResponseInArrayMode: boolean,
      ): {
        /** Runs it; resolves to the result of the driver. */
        execute(): Promise<unknown>;
      };
    };
  };
}

/** The parts of a Drizzle database that storage calls, over `pg` or postgres.js. @public */
export interface DrizzleDatabase<Tx> extends DrizzleQueryable {
  /** Runs `work` in a transaction. */
  transaction<T>(
    work: (tx: Tx) => Promise<T>,
    config: {
      /** Isolation level of the transaction. */
      isolationLevel: 'read committed';
    },
  ): Promise<T>;
}

/** Options of {@link fromDrizzle}. @public */
export interface DrizzleOptions extends ListenOptions {
  /**
   * Names statements, so that the server plans each once per connection. `false` behind a pooler without support for
   * prepared statements.
   * @defaultValue true
   */
  readonly prepare?: boolean;
}

/** The connection of a transaction: a client of `pg`, or a transaction of postgres.js. */
type Connection =
  | { getTransactionStatus?(): string | null; end(): Promise<void> }
  | (((...of: never) => unknown) & { unsafe(text: string): Promise<unknown> });

const sessionOf = ({ _: { session } }: DrizzleQueryable) => session as object as { client: Connection };

/** Whether the host's transaction has ended. Only a connection of `pg` shows that; postgres.js does not. */
const isOver = (tx: DrizzleQueryable): boolean => {
  const { client } = sessionOf(tx);
  return typeof client === 'object' && client.getTransactionStatus?.() === 'I';
};

/** Drizzle wraps the server's error and quotes bound values; this returns the server's error. */
const unwrapped = (cause: unknown): unknown => ('params' in Object(cause) ? ((cause as Error).cause ?? cause) : cause);

/**
 * Storage over Drizzle, on `pg` or postgres.js. A transaction is the argument of `db.transaction`'s callback, also
 * nested.
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
    // A named statement must be single; a text without values may contain several.
    const name = prepare && values.length > 0 ? nameOf(text) : undefined;
    const statement = { sql: text, params: [...values] };
    try {
      const result = await on._.session.prepareQuery(statement, undefined, name, false).execute();
      return lowerCased(Array.isArray(result) ? result : (result as { rows: SqlRow[] }).rows);
    } catch (cause) {
      throw unwrapped(cause);
    }
  };
  /** Ended transactions that storage opened. */
  const ended = new WeakSet<Tx>();
  return {
    query: (text, values) => run(db, text, values),
    queryIn: async (tx, text, values) => {
      if (!('rollback' in tx) || ended.has(tx) || isOver(tx)) throw noTransaction();
      return run(tx, text, values);
    },
    transaction: openTransactions<Tx>({
      begin: (work) =>
        db.transaction((tx) => work(tx).finally(() => ended.add(tx)), { isolationLevel: 'read committed' }),
      describe: (tx) => {
        const session = sessionOf(tx);
        const { client } = session;
        // `release` of a pool discards a client that was ended.
        if (typeof client !== 'function')
          return { tx, run: (text) => run(tx, text, []), close: () => void client.end().catch(() => {}) };
        const { tx: limited, revoke } = revocableSql(client, noTransaction);
        session.client = limited;
        return { tx, run: (text) => client.unsafe(text), revoke };
      },
    }),
    ...listening(options),
  };
};
