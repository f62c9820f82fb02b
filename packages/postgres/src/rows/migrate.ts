import { repeatConflicts, rowTables, systemClock, type Table } from '@partnerkit/core/adapter';
import { explainedMigration } from '../database/errors.ts';
import { openDriver } from '../database/open-driver.ts';
import { assertSchema } from '../database/schema.ts';
import type { SqlDriver, SqlRow } from '../drivers/driver.ts';
import { fromPg, type PgPool } from '../drivers/pg.ts';
import { createMigrations, stepsIn } from './tables.ts';

/** A statement of the migrations of rows, and whether the database has it. @public */
export interface RowMigrationStatus {
  /** The step's name. */
  readonly name: string;
  /** Whether the database has it. */
  readonly applied: boolean;
}

/** The result of {@link migrateRows}. @public */
export interface RowsMigrated {
  /** The names of the steps that ran, or would run. */
  readonly applied: readonly string[];
  /** Their statements, in order. */
  readonly sql: string;
}

/** Options of {@link migrateRows}. @public */
export interface MigrateRowsOptions {
  /** The schema of the tables. @defaultValue 'partnerkit_rows' */
  readonly schema?: string;
  /** Changes nothing and returns the SQL that would run. @defaultValue false */
  readonly dryRun?: boolean;
}

/** The schema of rows, beside that of `postgresStorage`. */
export const usualSchema = 'partnerkit_rows';

type Query = (text: string) => Promise<readonly SqlRow[]>;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const noteIn = (schema: string, name: string): string =>
  `insert into "${schema}".migrations (name, applied_at) values (${literal(name)}, now()) on conflict do nothing`;

/** The names of the steps that ran. @throws Error when the schema is of `postgresStorage`. */
export const readSteps = async (query: Query, schema: string): Promise<ReadonlySet<string>> => {
  const columns = await query(
    `select a.attname::text as name from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace ` +
      `join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 ` +
      `where n.nspname = '${schema}' and c.relname = 'migrations'`,
  );
  if (columns.length === 0) return new Set();
  if (columns.some((row) => row['name'] === 'version'))
    throw new Error(
      `partnerkit: schema "${schema}" holds the tables of postgresStorage: name another schema for rows.`,
    );
  return new Set((await query(`select name from "${schema}".migrations`)).map((row) => String(row['name'])));
};

/** What a process that creates the same at the same moment makes of "if not exists". */
const isRace = (cause: unknown): boolean =>
  ['23505', '42P06', '42P07', '42710', 'XX000', '40001', '40P01'].includes(
    String((cause as { readonly code?: unknown } | undefined)?.code),
  );

/** Repeats statements that another process ran at the same moment. */
export const repeatRaces =
  (query: Query): Query =>
  (text) =>
    repeatConflicts(() => query(text), { clock: systemClock, isConflict: isRace });

/** Creates tables, with the rows that they begin with: one statement after the other, each in a transaction. */
export const migrateTables = async (
  driver: SqlDriver<object>,
  tables: readonly Table[],
  { schema = usualSchema, dryRun = false }: MigrateRowsOptions,
): Promise<RowsMigrated> => {
  const query = repeatRaces((text) => driver.query(text, []));
  const applied = await readSteps(query, schema);
  const missing = stepsIn(schema, tables).filter(({ name }) => !applied.has(name));
  const texts =
    missing.length === 0
      ? []
      : [
          ...(applied.size === 0 ? [`create schema if not exists "${schema}"`, createMigrations(schema)] : []),
          ...missing.flatMap(({ name, sql }) => [sql, noteIn(schema, name)]),
        ];
  if (!dryRun) for (const text of texts) await query(text);
  return { applied: missing.map(({ name }) => name), sql: texts.map((text) => `${text};\n`).join('') };
};

const opened = (from: PgPool | SqlDriver<object>): SqlDriver<object> =>
  'queryIn' in from ? from : (fromPg(from, { prepare: false, listen: false }) as SqlDriver<object>);

/**
 * Creates the tables of {@link postgresRowStorage}: one statement in each transaction, so a migration that was
 * interrupted goes on where it ended. Any number of processes may call it at once.
 *
 * A schema that is there is left as it is: on Citus, create it as a distributed one before.
 * @example
 * await migrateRows(pool);
 * const { sql } = await migrateRows(pool, { dryRun: true });
 * @throws TypeError when `from` is no pool and no driver, or an option is unknown or malformed.
 * @public
 */
export const migrateRows = async (
  from: PgPool | SqlDriver<object>,
  options: MigrateRowsOptions = {},
): Promise<RowsMigrated> => {
  openDriver('migrateRows', from, options, { schema: true, dryRun: 'boolean' });
  assertSchema(options.schema ?? usualSchema);
  try {
    return await migrateTables(opened(from), rowTables, options);
  } catch (cause) {
    throw explainedMigration(cause);
  }
};

/**
 * The steps of {@link migrateRows}, and whether the database has each.
 * @example
 * const missing = (await rowMigrationStatus(pool)).filter(({ applied }) => !applied);
 * @throws TypeError when `from` is no pool and no driver, or an option is unknown or malformed.
 * @public
 */
export const rowMigrationStatus = async (
  from: PgPool | SqlDriver<object>,
  options: {
    /** Schema of the tables. @defaultValue `partnerkit_rows` */
    readonly schema?: string;
  } = {},
): Promise<readonly RowMigrationStatus[]> => {
  openDriver('rowMigrationStatus', from, options);
  const { schema = usualSchema } = options;
  assertSchema(schema);
  try {
    const applied = await readSteps((text) => opened(from).query(text, []), schema);
    return stepsIn(schema).map(({ name }) => ({ name, applied: applied.has(name) }));
  } catch (cause) {
    throw explainedMigration(cause);
  }
};
