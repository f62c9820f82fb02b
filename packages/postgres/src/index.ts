/**
 * Storage on PostgreSQL: events inside the host's own transaction, deliveries for any number of workers.
 * @module postgres
 */

export {
  type Migrated,
  type MigrateOptions,
  type MigrationStatus,
  migrate,
  migrationSql,
  migrationStatus,
} from './database/migrate.ts';
export type { PostgresOptions } from './database/options.ts';
export type { SqlDriver, SqlRow, SqlValue } from './drivers/driver.ts';
export type { ListenOptions } from './drivers/listening.ts';
export {
  fromPg,
  type PgClient,
  type PgOptions,
  type PgPool,
  type PgPoolClient,
  type PgQueryable,
} from './drivers/pg.ts';
export { type Migration, migrations } from './migrations/index.ts';
export { type PostgresInbox, postgresInbox } from './receiver/inbox.ts';
export { type PostgresSeenKeys, postgresSeenKeys } from './receiver/seen-keys.ts';
export { postgresStorage } from './storage.ts';
