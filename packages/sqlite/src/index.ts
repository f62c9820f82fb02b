/**
 * Durable storage in one file, with the SQLite of Node.js, better-sqlite3 or libsql.
 * @module sqlite
 */
export type { StoredInbox, StoredSeenKeys } from '@partnerkit/core/adapter';
export type { BetterSqlite3Database, SqliteConnection } from './connection.ts';
export {
  type Closeable,
  type ConnectionOf,
  migrateSqlite,
  type SqliteOptions,
  type SqliteStorage,
  sqliteInbox,
  sqliteSeenKeys,
  sqliteStorage,
} from './storage.ts';
