import type { DatabaseSync } from 'node:sqlite';
import { noTransaction, type ShardWake, untilAborted } from '@partnerkit/core/ports';
import { createWakes, type Plan, performNow, type RowStore, type RowTx, type Table } from '@partnerkit/core/rows';
import type { Clock, DurationMs } from '@partnerkit/core/time';
import { explained, isBusy } from './errors.ts';
import { isDatabase, openDatabase, waitForNothing } from './open.ts';
import { sqliteOperations } from './operations.ts';
import { migrate, readVersion, schemaFindings, schemaTable } from './schema.ts';
import { watchFile } from './watch.ts';

/** Settings of {@link sqliteRows}, all given. @internal */
export interface RowsSettings {
  readonly clock: Clock;
  readonly synchronous: 'full' | 'normal';
  readonly busyTimeoutMs: DurationMs;
  readonly pollMs: DurationMs;
  readonly migrate: boolean;
}

/** Rows in a file of SQLite. @internal */
export interface SqliteRows extends RowStore<DatabaseSync> {
  readonly check: NonNullable<RowStore<DatabaseSync>['check']>;
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

const rollBack = (database: DatabaseSync): void => {
  if (database.isOpen && database.isTransaction) database.exec('rollback');
};

/**
 * Rows in a file of SQLite. Plans run on a connection of the store, each in one turn; transactions of hosts have
 * connections of their own, one for each that is open.
 * @internal
 */
export const sqliteRows = (file: string, tables: readonly Table[], settings: RowsSettings): SqliteRows => {
  const { clock, busyTimeoutMs } = settings;
  const wakes = createWakes();
  const ends = createEnds();
  const connections = new Set<DatabaseSync>();
  const idle: DatabaseSync[] = [];
  /** What plans woke in a transaction of this store. */
  const wokenBy = new WeakMap<DatabaseSync, ShardWake[]>();
  const operationsOf = new WeakMap<DatabaseSync, RowTx>();

  const open = (): DatabaseSync => {
    const database = openDatabase(file, settings.synchronous);
    connections.add(database);
    return database;
  };
  const close = (database: DatabaseSync): void => {
    connections.delete(database);
    if (database.isOpen) database.close();
  };
  const notify = (woken: readonly ShardWake[]): void => {
    for (const wake of woken)
      if (wake.kind === 'members') wakes.wakeMembers();
      else wakes.wakeEvents(wake.shards, wake.announced);
  };
  const rowsOf = (database: DatabaseSync): RowTx => {
    const known = operationsOf.get(database);
    if (known) return known;
    const made = sqliteOperations(database, clock, (wake) => wokenBy.get(database)?.push(wake));
    operationsOf.set(database, made);
    return made;
  };

  const main = open();
  try {
    if (settings.migrate) migrate(main, tables);
    waitForNothing(main);
  } catch (cause) {
    close(main);
    throw explained(cause);
  }

  /** Repeats a call that changed nothing because the file was locked. The process goes on meanwhile. */
  const patiently = async <T>(call: () => T, signal: AbortSignal = never): Promise<T> => {
    const start = clock.monotonic?.() ?? clock.now();
    for (let pause = 1; ; pause = Math.min(2 * pause, longestPause)) {
      try {
        return call();
      } catch (cause) {
        const waited = (clock.monotonic?.() ?? clock.now()) - start;
        if (!isBusy(cause) || waited >= busyTimeoutMs) throw explained(cause);
      }
      await Promise.race([clock.sleep(pause, signal), ends.next()]);
      signal.throwIfAborted();
    }
  };

  /** Begin, plan and commit: no other call finds the connection in a transaction. */
  const runNow = <T>(mode: 'read' | 'write', plan: (rows: RowTx) => Plan<T>): T => {
    const woken: ShardWake[] = [];
    wokenBy.set(main, woken);
    main.exec(mode === 'read' ? 'begin' : 'begin immediate');
    try {
      const value = performNow(plan(rowsOf(main)));
      main.exec('commit');
      notify(woken);
      return value;
    } catch (cause) {
      rollBack(main);
      throw cause;
    }
  };

  /** The plan and nothing else is undone when it throws; the transaction goes on. */
  const joinNow = <T>(tx: DatabaseSync, plan: (rows: RowTx) => Plan<T>): T => {
    if (!tx.isOpen || !tx.isTransaction) throw noTransaction();
    // Takes the lock of the writer before the plan reads: what it reads is then the newest.
    tx.exec(`delete from ${schemaTable} where false`);
    tx.exec('savepoint partnerkit');
    try {
      const value = performNow(plan(rowsOf(tx)));
      tx.exec('release partnerkit');
      return value;
    } catch (cause) {
      if (tx.isTransaction) tx.exec('rollback to partnerkit; release partnerkit');
      throw cause;
    }
  };

  const transaction: SqliteRows['transaction'] = async (work, { signal } = {}) => {
    const database = idle.pop() ?? open();
    waitForNothing(database);
    const woken: ShardWake[] = [];
    wokenBy.set(database, woken);
    try {
      await patiently(() => database.exec('begin immediate'), signal);
      const value = await untilAborted(work(database), signal);
      if (!database.isTransaction)
        throw new Error(
          'partnerkit: the transaction ended before its work did: an error of SQLite, or a commit in it.',
        );
      await patiently(() => database.exec('commit'));
      wokenBy.delete(database);
      idle.push(database);
      notify(woken);
      return value;
    } catch (cause) {
      rollBack(database);
      // Work that was given up may still write to it.
      if (signal?.aborted) close(database);
      else if (database.isOpen) idle.push(database);
      throw cause;
    } finally {
      ends.note();
    }
  };

  // A store of other tables has no events to look for.
  const hasEvents = tables.some(({ name }) => name === 'outbox');
  const { watch, stop } = watchFile(main, wakes, hasEvents ? settings.pollMs : Number.POSITIVE_INFINITY);
  return {
    run: (mode, plan) => patiently(() => runNow(mode, plan)),
    join: async (tx, plan) => {
      if (!isDatabase(tx)) throw noTransaction();
      return patiently(() => joinNow(tx, plan));
    },
    transaction,
    watch,
    check: async () => {
      const read = (pragma: string): unknown => Object.values(main.prepare(`pragma ${pragma}`).get() ?? {})[0];
      const isDurable = read('journal_mode') === 'wal' && Number(read('synchronous')) > 0;
      return {
        now: clock.now(),
        findings: schemaFindings(readVersion(main)),
        ...(isDurable
          ? {}
          : { warnings: ['The file is not in WAL mode, or does not synchronize: a crash loses events.'] }),
      };
    },
    close: () => {
      stop();
      for (const database of [...connections]) close(database);
    },
  };
};
