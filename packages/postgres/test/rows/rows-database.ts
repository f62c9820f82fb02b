import { rowTables, systemClock, type Table } from '@partnerkit/core/adapter';
import { fromPg, type PgClient, type SqlDriver } from '../../src/index.ts';
import { fullDialect } from '../../src/rows/dialect.ts';
import { migrateTables } from '../../src/rows/migrate.ts';
import { type PostgresRows, postgresRows, type RowsSettings, serverTime } from '../../src/rows/store.ts';
import { stepsIn } from '../../src/rows/tables.ts';

/** The schema of tests. */
export const schema = 'rows_of_tests';

/** Rows over a driver of a test. */
export const rowsOver = <Tx extends object>(
  driver: SqlDriver<Tx>,
  settings: Partial<RowsSettings> = {},
): PostgresRows<Tx> =>
  postgresRows(driver, {
    ...{
      schema,
      tables: rowTables,
      dialect: fullDialect('test'),
      announces: true,
      clock: systemClock,
      now: serverTime,
    },
    ...settings,
  });

/** A driver of an engine without READ COMMITTED: each of its transactions has this level. */
export const atLevel = <Tx extends object>(driver: SqlDriver<Tx>, level: string | undefined): SqlDriver<Tx> => ({
  ...driver,
  transaction: (work, options) =>
    driver.transaction(async (tx) => {
      if (level !== undefined) await driver.queryIn(tx, `set transaction isolation level ${level}`, []);
      return work(tx);
    }, options),
});

/** Makes the tables anew. `create`: the statement that creates the schema. */
export const createTables = async (
  pool: Parameters<typeof fromPg<PgClient>>[0],
  { tables = rowTables, create = `create schema "${schema}"` }: { tables?: readonly Table[]; create?: string } = {},
): Promise<void> => {
  const driver = fromPg(pool, { prepare: false, listen: false });
  await driver.query(`drop schema if exists "${schema}" cascade`, []);
  await driver.query(create, []);
  await migrateTables(driver as SqlDriver<object>, tables, { schema });
};

/** The statements that make them as they were at first. */
export const emptyTables = (tables: readonly Table[] = rowTables): readonly string[] => [
  ...tables.map(({ name }) => `delete from "${schema}".${name}`),
  `delete from "${schema}".idle_workers`,
  ...stepsIn(schema, tables)
    .filter(({ name }) => name.startsWith('fill '))
    .map(({ sql }) => sql),
];
