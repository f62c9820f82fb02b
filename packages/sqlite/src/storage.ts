import type { DatabaseSync } from 'node:sqlite';
import type { DurationMs } from '@partnerkit/core';
import {
  assertOptionNames,
  type Clock,
  rowInbox,
  rowSeenKeys,
  rowStorage,
  rowTables,
  type Storage,
  type StoredInbox,
  type StoredSeenKeys,
  systemClock,
  systemRandom,
} from '@partnerkit/core/adapter';
import type { SqliteConnection } from './connection.ts';
import { sourceOf } from './open.ts';
import { type SqliteRows, sqliteRows } from './rows.ts';

/**
 * Options of storage on SQLite.
 * @public
 */
export interface SqliteOptions {
  /**
   * Whether the tables are created when the file is opened. `false`: call `migrateSqlite` before.
   * @defaultValue true
   */
  readonly migrate?: boolean;
  /**
   * `full`: what was committed survives the loss of power. `normal`: it survives the end of the process; the loss of
   * power may take the last commits.
   * @defaultValue 'full'
   */
  readonly synchronous?: 'full' | 'normal';
  /** How long a call waits for the transaction of another writer, in milliseconds. @defaultValue 10 seconds */
  readonly busyTimeoutMs?: DurationMs;
  /**
   * How often a worker looks for events of other connections, in milliseconds: those in transactions of the host, and
   * of other processes. `Infinity`: never; the worker's own polling finds them.
   * @defaultValue 25
   */
  readonly pollMs?: DurationMs;
  /**
   * States that other SQLite libraries in this process open other files. Two libraries destroy a file that both open,
   * so without it storage is refused where another one is loaded.
   * @defaultValue false
   */
  readonly otherLibrariesOpenOtherFiles?: boolean;
  /** Source of time. @defaultValue the system's clock */
  readonly clock?: Clock;
}

/**
 * What has connections of its own.
 * @public
 */
export interface Closeable {
  /** Closes the connections. Later calls reject, and open transactions are rolled back. */
  close(): void;
}

/**
 * The connections on which a storage joins transactions: those of the library of `From`; of `node:sqlite` for a path.
 * @public
 */
export type ConnectionOf<From> = From extends SqliteConnection ? From : DatabaseSync;

/**
 * Storage in a file of SQLite.
 * @public
 */
export interface SqliteStorage<Db extends SqliteConnection = DatabaseSync> extends Storage<Db>, Closeable {}

const names = {
  migrate: 'boolean',
  synchronous: true,
  busyTimeoutMs: true,
  pollMs: true,
  otherLibrariesOpenOtherFiles: 'boolean',
  clock: true,
} as const;

const open = <From extends string | SqliteConnection>(
  caller: string,
  from: From,
  options: SqliteOptions,
): SqliteRows<ConnectionOf<From>> => {
  assertOptionNames(caller, options, names);
  const { synchronous = 'full', clock = systemClock, busyTimeoutMs = 10_000, pollMs = 25 } = options;
  if (synchronous !== 'full' && synchronous !== 'normal')
    throw new TypeError(`${caller}: synchronous: must be 'full' or 'normal'.`);
  for (const [name, value] of Object.entries({ busyTimeoutMs, pollMs }))
    if (!(typeof value === 'number' && value > 0)) throw new TypeError(`${caller}: ${name}: a number above 0.`);
  const settings = { clock, synchronous, busyTimeoutMs, pollMs, migrate: options.migrate ?? true };
  const source = sourceOf<ConnectionOf<From>>(
    caller,
    from as string | ConnectionOf<From>,
    options.otherLibrariesOpenOtherFiles === true,
  );
  return sqliteRows(source, rowTables, settings);
};

/**
 * Durable storage in one file, with the SQLite of Node.js or with the library of your connection. For one machine; its
 * processes may share the file. SQLite has one writer at a time, so a transaction should be short.
 *
 * - Publish joins the host's transaction on the host's own connection: `{ tx: database }`. Begin it with `begin
 *   immediate`.
 * - Its tables begin with `partnerkit_`. They are created when the file is opened.
 * - The worker uses connections of its own, so `file` is a path, or a connection to a file. A path is opened with
 *   `node:sqlite`; a connection of `better-sqlite3` or `libsql` makes the storage use that library.
 * - One process must open a file with one library: two drop each other's locks, and the file is destroyed.
 * @example
 * import { DatabaseSync } from 'node:sqlite'; // or: import DatabaseSync from 'better-sqlite3'
 *
 * const database = new DatabaseSync('platform.db');
 * const storage = sqliteStorage(database);
 * // In your transaction:
 * database.exec('begin immediate');
 * await kit.events.publish(event, { tx: database });
 * database.exec('commit');
 * @throws TypeError when there is no file, or an option is unknown or malformed.
 * @throws Error when this Node.js has no `node:sqlite`, the file cannot be used, or another SQLite library is loaded.
 * @public
 */
export const sqliteStorage = <From extends string | SqliteConnection>(
  file: From,
  options: SqliteOptions = {},
): SqliteStorage<ConnectionOf<From>> => {
  const rows = open('sqliteStorage', file, options);
  return { ...rowStorage(rows), check: rows.check, close: rows.close };
};

/**
 * Processed keys in a file of SQLite, kept over restarts. Expired keys are deleted a few at a time, by later calls.
 * @example
 * const receiver = createReceiver({ secrets: [webhookSecret], seen: sqliteSeenKeys('receiver.db'), on: {} });
 * @throws TypeError when there is no file, or an option is unknown or malformed.
 * @throws Error as {@link sqliteStorage} does.
 * @public
 */
export const sqliteSeenKeys = <From extends string | SqliteConnection>(
  file: From,
  options: SqliteOptions = {},
): StoredSeenKeys<ConnectionOf<From>> & Closeable => {
  const rows = open('sqliteSeenKeys', file, options);
  return { ...rowSeenKeys(rows, systemRandom), close: rows.close };
};

/**
 * An inbox in a file of SQLite. Expired keys are deleted a few at a time, by later calls.
 * @example
 * const worker = createInboxWorker({ inbox: sqliteInbox('receiver.db'), on: {} });
 * const receiver = createReceiver({ secrets: [webhookSecret], inbox: worker.inbox });
 * @throws TypeError when there is no file, or an option is unknown or malformed.
 * @throws Error as {@link sqliteStorage} does.
 * @public
 */
export const sqliteInbox = <From extends string | SqliteConnection>(
  file: From,
  options: SqliteOptions = {},
): StoredInbox<ConnectionOf<From>> & Closeable => {
  const rows = open('sqliteInbox', file, options);
  return { ...rowInbox(rows, systemRandom), close: rows.close };
};

/**
 * Creates the tables, if they are not there. For hosts whose processes may not: they open the file with
 * `{ migrate: false }`.
 * @example
 * migrateSqlite('platform.db');
 * @throws TypeError when there is no file.
 * @throws Error as {@link sqliteStorage} does.
 * @public
 */
export const migrateSqlite = (
  file: string | SqliteConnection,
  options: Pick<SqliteOptions, 'otherLibrariesOpenOtherFiles'> = {},
): void => open('migrateSqlite', file, options).close();
