/**
 * Storage over plain rows: for engines that speak SQL of PostgreSQL and lack what the statements of `postgresStorage`
 * need, such as a distributed schema of Citus.
 * @module postgres/rows
 */
export type { RowDialect } from './dialect.ts';
export {
  type MigrateRowsOptions,
  migrateRows,
  type RowMigrationStatus,
  type RowsMigrated,
  rowMigrationStatus,
} from './migrate.ts';
export {
  migrateRowSchemas,
  type RowSchemas,
  type RowSchemasOptions,
  type RowSchemasPlace,
  rowSchemas,
} from './schemas.ts';
export { postgresRowStorage, type RowStorageOptions } from './storage.ts';
