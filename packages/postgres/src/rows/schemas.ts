import { createHash } from 'node:crypto';
import type { DividedStorages } from '@partnerkit/core';
import { assertPositiveInteger } from '@partnerkit/core/adapter';
import { openDriver } from '../database/open-driver.ts';
import { assertSchema } from '../database/schema.ts';
import type { SqlDriver } from '../drivers/driver.ts';
import type { PgClient, PgPool } from '../drivers/pg.ts';
import { migrateRows, repeatRaces } from './migrate.ts';
import { assertNumber, keepNumber, keepPositions, type Query } from './placement.ts';
import { postgresRowStorage, type RowStorageOptions } from './storage.ts';

/** Which schemas divide the accounts. @public */
export interface RowSchemasPlace {
  /** Number of schemas of accounts, 1 to 64. It is chosen once. */
  readonly schemas: number;
  /** What their names begin with: `partners_0`, `partners_1`, …, and `partners_clients`. @defaultValue 'partners' */
  readonly name?: string;
}

/** Options of {@link rowSchemas}. @public */
export interface RowSchemasOptions<Tx extends object = object>
  extends RowSchemasPlace,
    Omit<RowStorageOptions, 'schema'> {
  /**
   * Returns the pool of a schema, such as one at a node of a cluster. Each process uses the same servers for a schema,
   * as do transactions of yours that publish.
   * @defaultValue the pool of all
   */
  poolOf?(schema: string): PgPool | SqlDriver<Tx>;
}

/** Storages over schemas, for `kitsOver`. @public */
export interface RowSchemas<Tx extends object> extends DividedStorages<Tx> {
  /** Returns the schema of a root account. Tables of yours that change with its events belong there. */
  schemaOf(rootAccountId: string): string;
}

const maxSchemas = 64;

/** The names of the schemas. @throws TypeError when an option is malformed. */
const namesOf = (caller: string, { schemas, name = 'partners' }: RowSchemasPlace) => {
  assertPositiveInteger(`${caller}: schemas`, schemas);
  if (schemas > maxSchemas) throw new TypeError(`${caller}: schemas must be at most ${maxSchemas}.`);
  const names = Array.from({ length: schemas }, (_, nth) => `${name}_${nth}`);
  const clients = `${name}_clients`;
  assertSchema(clients);
  return { names, clients };
};

/** By 32 bits of SHA-256: what one number of schemas divides evenly, another one does, too. */
const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

const queryOf =
  (driver: SqlDriver<object>): Query =>
  (text) =>
    driver.query(text, []);

/**
 * Creates the tables of {@link rowSchemas}, with what {@link migrateRows} creates in each schema, and keeps the number
 * of schemas. Schemas that are there are left as they are. It may be interrupted, and run again; any number of
 * processes may call it at once.
 *
 * On Citus, schemas that it creates are distributed ones if `citus.enable_schema_based_sharding` is on for the role or
 * the database.
 * @example
 * await migrateRowSchemas(pool, { schemas: 16 });
 * @throws Error when another number was kept.
 * @throws TypeError when `from` is no pool and no driver, or an option is unknown or malformed.
 * @public
 */
export const migrateRowSchemas = async (
  from: PgPool | SqlDriver<object>,
  options: RowSchemasPlace & {
    /** As that of {@link rowSchemas}, if schemas are in several databases. */
    poolOf?(schema: string): PgPool | SqlDriver<object>;
  },
): Promise<void> => {
  const driver = openDriver('migrateRowSchemas', from, options, { schemas: true, name: true, poolOf: 'function' });
  const { names, clients } = namesOf('migrateRowSchemas', options);
  await migrateRows(from, { schema: clients });
  await keepNumber(repeatRaces(queryOf(driver)), clients, options.schemas);
  for (const schema of names) await migrateRows(options.poolOf?.(schema) ?? from, { schema });
};

/**
 * Storages over schemas that divide the accounts among them, by a hash of their root account: for a cluster that places
 * each schema on a node, such as Citus. Clients are in a schema of their own. Create the tables first:
 * {@link migrateRowSchemas}.
 * @example
 * const schemas = await rowSchemas(pool, { schemas: 16 });
 * const kits = kitsOver(schemas, {
 *   rootOf: async (accountId) => (await organisations.byId(accountId))?.parentId ?? accountId,
 *   open: (storage) => createPartnerkit({ ...options, storage }),
 * });
 * @throws Error when no number of schemas, or another one, was kept, and when a server of `poolOf` would assign lower
 * positions than the one before.
 * @throws TypeError when `pool` is no pool and no driver, or an option is unknown or malformed.
 * @public
 */
export function rowSchemas<Client extends PgClient = PgClient>(
  pool: PgPool<Client>,
  options: RowSchemasOptions<Client>,
): Promise<RowSchemas<Client>>;
/**
 * Over a driver, as `postgresStorage` takes it.
 * @throws Error and TypeError as over a pool.
 * @public
 */
export function rowSchemas<Tx extends object>(
  driver: SqlDriver<Tx>,
  options: RowSchemasOptions<Tx>,
): Promise<RowSchemas<Tx>>;
export async function rowSchemas(
  from: PgPool | SqlDriver<object>,
  options: RowSchemasOptions,
): Promise<RowSchemas<object>> {
  const caller = 'rowSchemas';
  const optionNames = { schemas: true, name: true, dialect: true, announce: 'boolean', poolOf: 'function' } as const;
  const driver = openDriver(caller, from, options, optionNames);
  const { names, clients } = namesOf(caller, options);
  const { schemas, name: _name, poolOf, ...ofStorage } = options;
  // One driver for a pool: its storages listen by one connection.
  const drivers = new Map<unknown, SqlDriver<object>>([[from, driver]]);
  const driverOf = (schema: string): SqlDriver<object> => {
    const pool = poolOf?.(schema) ?? from;
    const own = drivers.get(pool) ?? openDriver(caller, pool, {});
    drivers.set(pool, own);
    return own;
  };
  await assertNumber(queryOf(driver), clients, schemas);
  for (const schema of names)
    await keepPositions(queryOf(driver), clients, { schema, query: queryOf(driverOf(schema)) });
  const placeOf = (rootAccountId: string): number => hashOf(rootAccountId) % schemas;
  return {
    clients: postgresRowStorage(driver, { ...ofStorage, schema: clients }),
    storages: names.map((schema) => postgresRowStorage(driverOf(schema), { ...ofStorage, schema })),
    placeOf,
    schemaOf: (rootAccountId) => names[placeOf(rootAccountId)] ?? '',
  };
}
