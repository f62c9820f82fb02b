import type { DurationMs } from '@partnerkit/core';
import {
  type Clock,
  createWakes,
  noTransaction,
  type Plan,
  perform,
  performNow,
  type RowStore,
  type RowTx,
  type RunMode,
  type StoreWake,
  stepsOf,
  type Table,
  untilAborted,
} from '@partnerkit/core/adapter';
import type { Connection, SqliteConnection } from './connection.ts';
import { explained, isBusy } from './errors.ts';
import { describeForeign } from './library.ts';
import { describeDanger, openConnection, type Source, waitForNothing } from './open.ts';
import { sqliteOperations } from './operations.ts';
import { sqliteReports } from './reports.ts';
import { migrate, readVersion, schemaFindings, schemaTable } from './schema.ts';
import { watchFile } from './watch.ts';

/** Settings of {@link sqliteRows}, all given. */
export interface RowsSettings {
  readonly clock: Clock;
  readonly synchronous: 'full' | 'normal';
  readonly busyTimeoutMs: DurationMs;
  readonly pollMs: DurationMs;
  readonly migrate: boolean;
}

/** Rows in a file of SQLite. */
export interface SqliteRows<Db extends SqliteConnection> extends RowStore<Db> {
  readonly check: NonNullable<RowStore<Db>['check']>;
  /** Closes the connections; open transactions are rolled back. */
  close(): void;
}

const never = new AbortController().signal;
const longestPause = 20;

/** Ends of transactions of this store, for calls that wait for one: there is no need to sleep on. */
const createEnds = () => {
  const waiting: (() => void)[] = [];
  return {
    next: (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push(resolve);
      }),
    note: (): void => {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
};

/** A connection, and the operations on rows over it. */
interface Session<Db extends SqliteConnection> {
  readonly connection: Connection<Db>;
  readonly rows: RowTx;
  /** What plans woke in a transaction of this store; absent outside of one. */
  woken?: StoreWake[];
}

const rollBack = (connection: Connection): void => {
  if (connection.isInTransaction()) connection.exec('rollback');
};

/**
 * Rows in a file of SQLite. Plans run on a connection of the store, each in one turn; transactions of hosts have
 * connections of their own, one for each that is open.
 */
export const sqliteRows = <Db extends SqliteConnection>(
  source: Source<Db>,
  tables: readonly Table[],
  settings: RowsSettings,
): SqliteRows<Db> => {
  const { clock, busyTimeoutMs } = settings;
  const wakes = createWakes();
  const ends = createEnds();
  const own = new Set<Session<Db>>();
  const idle: Session<Db>[] = [];
  /** Those of this store and of hosts. */
  const sessions = new WeakMap<Db, Session<Db>>();

  const createSession = (connection: Connection<Db>): Session<Db> => {
    const session: Session<Db> = {
      connection,
      rows: sqliteOperations(connection, clock, (wake) => session.woken?.push(wake)),
    };
    sessions.set(connection.database, session);
    return session;
  };
  const open = (): Session<Db> => {
    const session = createSession(openConnection(source, settings.synchronous));
    own.add(session);
    return session;
  };
  const close = (session: Session<Db>): void => {
    own.delete(session);
    session.connection.close();
  };
  const notify = (woken: readonly StoreWake[]): void => {
    for (const wake of woken) wakes.wake(wake);
  };
  const main = open();
  try {
    if (settings.migrate) migrate(main.connection, tables);
    waitForNothing(main.connection);
  } catch (cause) {
    close(main);
    throw explained(cause);
  }

  /** Repeats a call that changed nothing because the file was locked. The process goes on meanwhile. */
  const patiently = async <T>(call: () => T | Promise<T>, signal: AbortSignal = never): Promise<T> => {
    const start = clock.monotonic?.() ?? clock.now();
    for (let pause = 1; ; pause = Math.min(2 * pause, longestPause)) {
      try {
        return await call();
      } catch (cause) {
        const waited = (clock.monotonic?.() ?? clock.now()) - start;
        if (!isBusy(cause) || waited >= busyTimeoutMs) throw explained(cause);
      }
      await Promise.race([clock.sleep(pause, signal), ends.next()]);
      signal.throwIfAborted();
    }
  };

  /** Reads the moment of its beginning, while others use the connection of the store. */
  const readAside = async <T>(plan: (rows: RowTx) => Plan<T>): Promise<T> => {
    const session = idle.pop() ?? open();
    const { connection } = session;
    waitForNothing(connection);
    try {
      connection.exec('begin');
      return await perform(plan(session.rows));
    } finally {
      rollBack(connection);
      if (connection.isOpen()) idle.push(session);
    }
  };

  /**
   * Begin, plan and commit: no other call finds the connection in a transaction. A plan that yields is run again on a
   * connection of its own.
   */
  const runNow = <T>(mode: RunMode, plan: (rows: RowTx) => Plan<T>): T | Promise<T> => {
    if (mode === 'one') return performNow(plan(main.rows));
    const woken: StoreWake[] = [];
    main.woken = woken;
    main.connection.exec(mode === 'read' ? 'begin' : 'begin immediate');
    try {
      const step = stepsOf(plan(main.rows)).next();
      if (!step.done && mode === 'read') {
        rollBack(main.connection);
        return readAside(plan);
      }
      if (!step.done) throw new TypeError('A plan that writes waits in a store that returns at once.');
      main.connection.exec('commit');
      notify(woken);
      return step.value;
    } catch (cause) {
      rollBack(main.connection);
      throw cause;
    }
  };

  /** The plan and nothing else is undone when it throws; the transaction goes on. */
  const joinNow = <T>({ connection, rows }: Session<Db>, plan: (rows: RowTx) => Plan<T>): T => {
    // Without a transaction, each statement would be committed by itself.
    if (!connection.isInTransaction()) throw noTransaction();
    // Takes the lock of the writer before the plan reads: what it reads is then the newest.
    connection.exec(`delete from ${schemaTable} where false`);
    connection.exec('savepoint partnerkit');
    try {
      const value = performNow(plan(rows));
      connection.exec('release partnerkit');
      return value;
    } catch (cause) {
      if (connection.isInTransaction()) connection.exec('rollback to partnerkit; release partnerkit');
      throw cause;
    }
  };

  const transaction: SqliteRows<Db>['transaction'] = async (work, { signal } = {}) => {
    const session = idle.pop() ?? open();
    const { connection } = session;
    waitForNothing(connection);
    const woken: StoreWake[] = [];
    session.woken = woken;
    try {
      await patiently(() => connection.exec('begin immediate'), signal);
      const value = await untilAborted(work(connection.database), signal);
      if (!connection.isInTransaction())
        throw new Error(
          'partnerkit: the transaction ended before its work did: an error of SQLite, or a commit in it.',
        );
      await patiently(() => connection.exec('commit'));
      delete session.woken;
      idle.push(session);
      notify(woken);
      return value;
    } catch (cause) {
      rollBack(connection);
      // Work that was given up may still write to it.
      if (signal?.aborted) close(session);
      else if (connection.isOpen()) idle.push(session);
      throw cause;
    } finally {
      ends.note();
    }
  };

  // A store of other tables has no events to look for.
  const hasEvents = tables.some(({ name }) => name === 'outbox');
  const { watch, stop } = watchFile(main.connection, wakes, hasEvents ? settings.pollMs : Number.POSITIVE_INFINITY);
  return {
    run: (mode, plan) => patiently(() => runNow(mode, plan)),
    reports: sqliteReports(main.connection, clock, patiently),
    join: async (tx, plan) => {
      if (!source.library.isConnection(tx)) throw noTransaction(describeForeign(tx, source.library.name));
      const session = sessions.get(tx) ?? createSession(source.library.connection(tx));
      return patiently(() => joinNow(session, plan));
    },
    transaction,
    maxTransactions: 1,
    watch,
    watchFeeds: wakes.watchFeeds,
    check: async () => {
      const { prepared } = main.connection;
      const read = (pragma: string): unknown => prepared(`pragma ${pragma}`).get()?.[0];
      const danger = describeDanger(source);
      const isDurable = read('journal_mode') === 'wal' && Number(read('synchronous')) > 0;
      return {
        now: clock.now(),
        findings: [...(danger === undefined ? [] : [danger]), ...schemaFindings(readVersion(main.connection))],
        ...(isDurable
          ? {}
          : { warnings: ['The file is not in WAL mode, or does not synchronize: a crash loses events.'] }),
      };
    },
    close: () => {
      stop();
      for (const session of [...own]) close(session);
    },
  };
};
