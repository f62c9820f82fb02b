import type { DatabaseSync } from 'node:sqlite';
import { assertOptionNames, type Storage, systemRandom } from '@partnerkit/core/ports';
import {
  rowInbox,
  rowSeenKeys,
  rowStorage,
  rowTables,
  type StoredInbox,
  type StoredSeenKeys,
  systemClock,
} from '@partnerkit/core/rows';
import type { Clock, DurationMs } from '@partnerkit/core/time';
import { fileOf } from './open.ts';
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
 * Storage in a file of SQLite.
 * @public
 */
export interface SqliteStorage extends Storage<DatabaseSync>, Closeable {}

const names = { migrate: true, synchronous: true, busyTimeoutMs: true, pollMs: true, clock: true } as const;

const open = (caller: string, from: string | DatabaseSync, options: SqliteOptions): SqliteRows => {
  assertOptionNames(caller, options, names);
  const { synchronous = 'full', clock = systemClock, busyTimeoutMs = 10_000, pollMs = 25 } = options;
  if (synchronous !== 'full' && synchronous !== 'normal')
    throw new TypeError(`${caller}: synchronous: must be 'full' or 'normal'.`);
  for (const [name, value] of Object.entries({ busyTimeoutMs, pollMs }))
    if (!(typeof value === 'number' && value > 0)) throw new TypeError(`${caller}: ${name}: a number above 0.`);
  const settings = { clock, synchronous, busyTimeoutMs, pollMs, migrate: options.migrate ?? true };
  return sqliteRows(fileOf(caller, from), rowTables, settings);
};

/**
 * Durable storage in one file, with the SQLite of Node.js: nothing to install, nothing to run. For one machine; its
 * processes may share the file. SQLite has one writer at a time, so a transaction should be short.
 *
 * - Publish joins the host's transaction on the host's own connection: `{ tx: database }`. Begin it with `begin
 *   immediate`.
 * - Its tables begin with `partnerkit_`. They are created when the file is opened.
 * - The worker uses a connection of its own, so `file` is a path, or a connection to a file.
 * @example
 * import { DatabaseSync } from 'node:sqlite';
 *
 * const database = new DatabaseSync('platform.db');
 * const storage = sqliteStorage(database);
 * // In your transaction:
 * database.exec('begin immediate');
 * await kit.events.publish(event, { tx: database });
 * database.exec('commit');
 * @throws TypeError when there is no file, or an option is unknown or malformed.
 * @throws Error when this Node.js has no `node:sqlite`, or the file cannot be used.
 * @public
 */
export const sqliteStorage = (file: string | DatabaseSync, options: SqliteOptions = {}): SqliteStorage => {
  const rows = open('sqliteStorage', file, options);
  return { ...rowStorage(rows), check: rows.check, close: rows.close };
};

/**
 * Processed keys in a file of SQLite, kept over restarts. Expired keys are deleted a few at a time, by later calls.
 * @example
 * const receiver = createReceiver({ secrets: [webhookSecret], seen: sqliteSeenKeys('receiver.db'), on: {} });
 * @throws TypeError when there is no file, or an option is unknown or malformed.
 * @public
 */
export const sqliteSeenKeys = (
  file: string | DatabaseSync,
  options: SqliteOptions = {},
): StoredSeenKeys<DatabaseSync> & Closeable => {
  const rows = open('sqliteSeenKeys', file, options);
  return { ...rowSeenKeys(rows, systemRandom), close: rows.close };
};

/**
 * An inbox in a file of SQLite. Expired keys are deleted a few at a time, by later calls.
 * @example
 * const worker = createInboxWorker({ inbox: sqliteInbox('receiver.db'), on: {} });
 * const receiver = createReceiver({ secrets: [webhookSecret], inbox: worker.inbox });
 * @throws TypeError when there is no file, or an option is unknown or malformed.
 * @public
 */
export const sqliteInbox = (
  file: string | DatabaseSync,
  options: SqliteOptions = {},
): StoredInbox<DatabaseSync> & Closeable => {
  const rows = open('sqliteInbox', file, options);
  return { ...rowInbox(rows, systemRandom), close: rows.close };
};

/**
 * Creates the tables, if they are not there. For hosts whose processes may not: they open the file with
 * `{ migrate: false }`.
 * @example
 * migrateSqlite('platform.db');
 * @throws TypeError when there is no file.
 * @public
 */
export const migrateSqlite = (file: string | DatabaseSync): void => open('migrateSqlite', file, {}).close();
