/**
 * Storage on PostgreSQL: events inside the host's own transaction, deliveries for any number of workers.
 * @module postgres
 */
export type { SqlDriver, SqlRow, SqlValue } from './driver.ts';
export type { ListenOptions } from './drivers/listening.ts';
export {
  fromPg,
  type PgClient,
  type PgOptions,
  type PgPool,
  type PgPoolClient,
  type PgQueryable,
} from './drivers/pg.ts';
export { type PostgresInbox, postgresInbox } from './inbox.ts';
export {
  type Migrated,
  type MigrateOptions,
  type MigrationStatus,
  migrate,
  migrationSql,
  migrationStatus,
} from './migrate.ts';
export { type Migration, migrations } from './migrations/index.ts';
export { type PostgresSeenKeys, postgresSeenKeys } from './seen-keys.ts';
export { type PostgresOptions, postgresStorage } from './storage.ts';
