/**
 * Durable storage in one file, with the SQLite of Node.js.
 * @module sqlite
 */
export type { StoredInbox, StoredSeenKeys } from '@partnerkit/core/rows';
export {
  type Closeable,
  migrateSqlite,
  type SqliteOptions,
  type SqliteStorage,
  sqliteInbox,
  sqliteSeenKeys,
  sqliteStorage,
} from './storage.ts';
