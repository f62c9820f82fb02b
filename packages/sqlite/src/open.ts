import type { DatabaseSync } from 'node:sqlite';
import { explained } from './errors.ts';

type Sqlite = typeof import('node:sqlite');

/** `node:sqlite`. Not imported: an import would fail with a message that names no remedy. */
const load = (): Sqlite => {
  const sqlite = process.getBuiltinModule?.('node:sqlite') as Sqlite | undefined;
  if (sqlite && 'location' in sqlite.DatabaseSync.prototype) return sqlite;
  throw new Error(
    `partnerkit: this Node.js (${process.versions.node}) has no usable node:sqlite: use 22.16 or newer, or 24 or newer.`,
  );
};

// biome-ignore-start lint/plugin: Node.js has one class of connections in a process.
/** Whether a value is a connection to SQLite. @internal */
export const isDatabase = (value: unknown): value is DatabaseSync => value instanceof load().DatabaseSync;
// biome-ignore-end lint/plugin: see above.

/** The path of the file of a storage. @throws TypeError when there is none. @internal */
export const fileOf = (caller: string, from: string | DatabaseSync): string => {
  const file = isDatabase(from) ? from.location() : from;
  if (typeof file === 'string' && file !== '' && !file.includes(':memory:')) return file;
  throw new TypeError(
    `${caller}: the path of a file, or a DatabaseSync of one: workers and hosts need connections of their own. ` +
      'For tests in memory, use memoryStorage().',
  );
};

/** How long opening waits for another process that creates tables, in milliseconds. */
const openTimeout = 5_000;

/** Opens a connection. It waits for no lock: that would stop the whole process. @internal */
export const openDatabase = (file: string, synchronous: 'full' | 'normal'): DatabaseSync => {
  const { DatabaseSync } = load();
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(file);
  } catch (cause) {
    throw explained(cause);
  }
  const read = (pragma: string): unknown => Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0];
  try {
    database.exec(`pragma busy_timeout = ${openTimeout}`);
    if (read('encoding') !== 'UTF-8')
      throw new TypeError(
        `partnerkit: the encoding of ${file} is ${read('encoding')}: texts need UTF-8 for their order.`,
      );
    if (read('journal_mode') !== 'wal') database.exec('pragma journal_mode = wal');
    database.exec(`pragma synchronous = ${synchronous}`);
    return database;
  } catch (cause) {
    database.close();
    throw explained(cause);
  }
};

/** From now on, a call that finds the file locked fails at once. @internal */
export const waitForNothing = (database: DatabaseSync): void => database.exec('pragma busy_timeout = 0');
