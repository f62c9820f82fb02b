/**
 * Storage through PGlite.
 * @module postgres/pglite
 */
import { noTransaction, type SqlDriver, type SqlRow, type SqlValue } from './driver.ts';
import { openTransactions } from './transactions.ts';

/** Runs statements of PGlite: a database or a transaction. @public */
export interface PgliteQueryable {
  /** Runs one statement with values. */
  query(
    text: string,
    values: unknown[],
  ): Promise<{
    /** The rows, by column name. */
    readonly rows: unknown[];
  }>;
  /** Runs a text without values, which may contain several statements. */
  exec(text: string): Promise<
    readonly {
      /** The rows, by column name. */
      readonly rows: unknown[];
    }[]
  >;
}

/** The parts of a transaction of PGlite that storage calls. @public */
export interface PgliteTransaction extends PgliteQueryable {
  /** Whether it has ended. */
  readonly closed: boolean;
}

/** The parts of a PGlite database that storage calls. @public */
export interface PgliteDatabase<Tx> {
  /** Runs `work` in a transaction, behind those that were begun before. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Listens on a channel. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
}

/** Options of {@link fromPglite}. @public */
export interface PgliteOptions {
  /** How long a call waits for the transaction that is open, in milliseconds. @defaultValue 10 seconds */
  readonly busyTimeoutMs?: number;
}

const stillOpen = (busyTimeoutMs: number): Error =>
  new Error(
    `partnerkit: another transaction of this PGlite has been open for ${busyTimeoutMs} ms, and it has one connection. ` +
      "Inside a transaction of yours, hand it over as tx, not 'new': the call would wait for itself. Commit before you " +
      'wait for anything else.',
  );

const run = async (on: PgliteQueryable, text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> => {
  const result = values.length > 0 ? await on.query(text, [...values]) : (await on.exec(text)).at(-1);
  return (result?.rows ?? []) as readonly SqlRow[];
};

/**
 * Storage over PGlite: PostgreSQL inside the process, with one connection. A transaction is the argument of
 * `db.transaction`'s callback. One transaction is open at a time; other calls wait for its end.
 * @example
 * import { PGlite } from '@electric-sql/pglite';
 *
 * const db = await PGlite.create('./data');
 * const storage = postgresStorage(fromPglite(db));
 * await db.transaction((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const fromPglite = <Tx extends PgliteTransaction>(
  db: PgliteDatabase<Tx>,
  { busyTimeoutMs = 10_000 }: PgliteOptions = {},
): SqlDriver<Tx> => {
  /** A call that is given up before its turn does nothing when its turn comes. */
  const begin = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      let isGivenUp = false;
      const timer = setTimeout(() => {
        isGivenUp = true;
        reject(stillOpen(busyTimeoutMs));
      }, busyTimeoutMs);
      db.transaction(async (tx) => {
        clearTimeout(timer);
        if (isGivenUp) throw stillOpen(busyTimeoutMs);
        return work(tx);
      }).then(resolve, (cause) => {
        clearTimeout(timer);
        reject(cause);
      });
    });
  return {
    query: (text, values) => begin((tx) => run(tx, text, values)),
    maxTransactions: 1,
    queryIn: async (tx, text, values) => {
      if ('transaction' in tx || !('exec' in tx) || tx.closed) throw noTransaction();
      return run(tx, text, values);
    },
    transaction: openTransactions({
      begin,
      // PGlite refuses what is sent on a transaction after its end.
      describe: (tx) => ({ tx, run: (text) => run(tx, text, []), revoke: () => undefined }),
    }),
    listen: (channel, onNotify) => db.listen(`"${channel}"`, onNotify),
  };
};
