/**
 * Storage on MariaDB and MySQL: events inside the host's own transaction, deliveries for any number of workers.
 * @module mysql
 */

export type { StoredInbox, StoredSeenKeys } from '@partnerkit/core/adapter';
export type { PlainStatement, SqlDriver, SqlResult, SqlRow, SqlTransactionOptions } from './drivers/driver.ts';
export {
  fromMysql2,
  type MysqlConnection,
  type MysqlPool,
  type MysqlPoolConnection,
  type MysqlQueryable,
} from './drivers/mysql2.ts';
export {
  type Migrated,
  type MigrateOptions,
  type MigrationStatus,
  migrate,
  migrationSql,
  migrationStatus,
} from './migrations.ts';
export { type MysqlOptions, mysqlInbox, mysqlSeenKeys, mysqlStorage } from './storage.ts';
