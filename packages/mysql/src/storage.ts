import type { DurationMs } from '@partnerkit/core';
import {
  assertOptionNames,
  type RowStore,
  rowInbox,
  rowSeenKeys,
  rowStorage,
  type Storage,
  type StoredInbox,
  type StoredSeenKeys,
  systemClock,
  systemRandom,
} from '@partnerkit/core/adapter';
import { checkServer } from './check.ts';
import type { SqlDriver } from './drivers/driver.ts';
import type { MysqlConnection, MysqlPool } from './drivers/mysql2.ts';
import { openDriver } from './drivers/open-driver.ts';
import { mysqlRows, serverTime } from './rows/rows.ts';
import { watchOutbox } from './watch.ts';

/**
 * Options of storage on MariaDB and MySQL.
 * @public
 */
export interface MysqlOptions {
  /**
   * How often a process with an idle worker looks for new events, in milliseconds. `Infinity`: never; the worker's own
   * polling finds them.
   * @defaultValue 50
   */
  readonly pollMs?: DurationMs;
}

/** A store over a driver. */
export const mysqlStore = <Tx extends object>(
  driver: SqlDriver<Tx>,
  { pollMs, now = serverTime }: { readonly pollMs: DurationMs; readonly now?: string },
): RowStore<Tx> => {
  const { wakes, ...rows } = mysqlRows(driver, { clock: systemClock, now });
  const watch = watchOutbox(async (text) => (await driver.query(text)).rows, wakes, pollMs);
  return { ...rows, watch, check: () => checkServer(driver, now) };
};

/** The storage over a store. */
export const storageOver = <Tx extends object>(store: RowStore<Tx>): Storage<Tx> => rowStorage(store);

/**
 * Durable storage on the host's own MariaDB (10.11 and later) or MySQL (8.4), through the host's own pool. Any number
 * of processes may publish and run workers over it. Migrate first: `npx @partnerkit/mysql migrate`.
 *
 * Its tables begin with `partnerkit_`. Errors of the server include their remedy.
 * @example
 * const pool = createPool(process.env.DATABASE_URL ?? '');
 * const storage = mysqlStorage(pool);
 * // In your transaction:
 * const connection = await pool.getConnection();
 * await connection.beginTransaction();
 * await kit.events.publish(event, { tx: connection });
 * await connection.commit();
 * connection.release();
 * @throws TypeError when `pool` is no pool and no driver, or an option is unknown or malformed.
 * @public
 */
export function mysqlStorage<Connection extends MysqlConnection = MysqlConnection>(
  pool: MysqlPool<Connection>,
  options?: MysqlOptions,
): Storage<Connection>;
/**
 * Over a driver: `fromMysql2`, `fromDrizzle`, `fromKnex`, `fromKysely`, `fromPrisma`, `fromTypeOrm`, or your own.
 * @throws TypeError when `driver` is no pool and no driver, or an option is unknown or malformed.
 * @public
 */
export function mysqlStorage<Tx extends object>(driver: SqlDriver<Tx>, options?: MysqlOptions): Storage<Tx>;
export function mysqlStorage(from: MysqlPool | SqlDriver<object>, options: MysqlOptions = {}): Storage<object> {
  assertOptionNames('mysqlStorage', options, { pollMs: true });
  const { pollMs = 50 } = options;
  if (!(typeof pollMs === 'number' && pollMs > 0)) throw new TypeError('mysqlStorage: pollMs: a number above 0.');
  return storageOver(mysqlStore(openDriver('mysqlStorage', from), { pollMs }));
}

/**
 * Processed keys in MariaDB or MySQL. Expired keys are deleted a few at a time, by later calls.
 * @example
 * const pool = createPool(process.env.DATABASE_URL ?? '');
 * const receiver = createReceiver({ secrets: [webhookSecret], seen: mysqlSeenKeys(pool), on: {} });
 * @throws TypeError when `from` is no pool and no driver.
 * @public
 */
export const mysqlSeenKeys = <Tx extends object = MysqlConnection>(
  from: MysqlPool<Tx & MysqlConnection> | SqlDriver<Tx>,
): StoredSeenKeys<Tx> =>
  rowSeenKeys(mysqlRows(openDriver<Tx>('mysqlSeenKeys', from), { clock: systemClock, now: serverTime }), systemRandom);

/**
 * An inbox in MariaDB or MySQL. Expired keys are deleted a few at a time, by later calls.
 * @example
 * const pool = createPool(process.env.DATABASE_URL ?? '');
 * const worker = createInboxWorker({ inbox: mysqlInbox(pool), on: {} });
 * const receiver = createReceiver({ secrets: [webhookSecret], inbox: worker.inbox });
 * @throws TypeError when `from` is no pool and no driver.
 * @public
 */
export const mysqlInbox = <Tx extends object = MysqlConnection>(
  from: MysqlPool<Tx & MysqlConnection> | SqlDriver<Tx>,
): StoredInbox<Tx> =>
  rowInbox(mysqlRows(openDriver<Tx>('mysqlInbox', from), { clock: systemClock, now: serverTime }), systemRandom);
