import { rowTables, type Table } from '@partnerkit/core/rows';
import type { SqlDriver, SqlRow } from './drivers/driver.ts';
import { fromMysql2, type MysqlPool } from './drivers/mysql2.ts';
import { explained } from './errors.ts';
import { ddlOf } from './rows/ddl.ts';
import { prefix } from './rows/names.ts';

/** A statement of the migrations, and whether the database has it. @public */
export interface MigrationStatus {
  /** The step's name. */
  readonly name: string;
  /** Whether the database has it. */
  readonly applied: boolean;
}

/** The result of {@link migrate}. @public */
export interface Migrated {
  /** The names of the steps that ran, or would run. */
  readonly applied: readonly string[];
  /** Their statements, in order. */
  readonly sql: string;
}

/** Options of {@link migrate}. @public */
export interface MigrateOptions {
  /** Changes nothing and returns the SQL that would run. @defaultValue false */
  readonly dryRun?: boolean;
}

/** One statement, which commits by itself. It may run twice: a crash can come between it and its record. */
interface Step {
  readonly name: string;
  readonly sql: string;
}

/** The table of the steps that ran. */
const migrationsTable = `${prefix}migrations`;

const createMigrations = `create table if not exists ${migrationsTable} (
  name varbinary(200) not null,
  applied_at datetime(6) not null,
  primary key (name)
) engine=innodb row_format=dynamic`;

const stepsOf = (tables: readonly Table[]): readonly Step[] =>
  tables.flatMap((table) =>
    ddlOf(table).map((sql, at) => ({ name: `${at === 0 ? 'create' : 'fill'} ${table.name}`, sql })),
  );

const note = ({ name }: Step): string =>
  `insert into ${migrationsTable} (name, applied_at) values ('${name}', utc_timestamp(6)) ` +
  'on duplicate key update applied_at = applied_at';

const textOf = (steps: readonly Step[]): string =>
  steps.length === 0
    ? ''
    : `${[createMigrations, ...steps.flatMap((step) => [step.sql, note(step)])].join(';\n\n')};\n`;

const asDriver = (from: MysqlPool | SqlDriver<object>): SqlDriver<object> =>
  'queryIn' in from ? from : (fromMysql2(from) as SqlDriver<object>);

/** The error of a connection whose tables would have no place. */
const noDatabase = (): Error =>
  new Error('partnerkit: the connection has no database: name one in its URL, as in mysql://user@host/database.');

type Query = (text: string) => Promise<readonly SqlRow[]>;

const readApplied = async (query: Query): Promise<ReadonlySet<string>> => {
  const [found] = await query(
    `select database() as name, count(*) as found from information_schema.tables ` +
      `where table_schema = database() and table_name = '${migrationsTable}'`,
  );
  if (found?.['name'] === null) throw noDatabase();
  if (Number(found?.['found']) === 0) return new Set();
  const rows = await query(
    `select cast(name as char) as name from ${migrationsTable} limit ${Number.MAX_SAFE_INTEGER}`,
  );
  return new Set(rows.map((row) => String(row['name'])));
};

/** Every step, and whether the database has it. */
export const readStatus = async (query: Query): Promise<readonly MigrationStatus[]> => {
  const applied = await readApplied(query);
  const known = stepsOf(rowTables).map(({ name }) => ({ name, applied: applied.has(name) }));
  const newer = [...applied].filter((name) => known.every((each) => each.name !== name));
  return [...known, ...newer.map((name) => ({ name, applied: true }))];
};

/**
 * The SQL of the migrations, for your own migration tool. It records what it applied, so both ways can be mixed, and
 * each statement may run again.
 * @example
 * await writeFile('migrations/20260101_partnerkit.sql', migrationSql());
 * @public
 */
export const migrationSql = (): string => textOf(stepsOf(rowTables));

/**
 * The steps of the migrations, and whether the database has each. Includes those that only a later version of this
 * package has.
 * @example
 * const pool = createPool(process.env.DATABASE_URL ?? '');
 * const missing = (await migrationStatus(pool)).filter(({ applied }) => !applied);
 * @public
 */
export const migrationStatus = async (from: MysqlPool | SqlDriver<object>): Promise<readonly MigrationStatus[]> => {
  const driver = asDriver(from);
  try {
    return await readStatus(async (text) => (await driver.query(text)).rows);
  } catch (cause) {
    throw explained(cause);
  }
};

/** How long a process waits for one that migrates, in seconds. */
const lockSeconds = 600;
/** Without a database there is no name: MySQL refuses the null. */
const lockName = `concat('${prefix}', database())`;
const lock =
  `select database() as name, ` +
  `case when database() is not null then get_lock(${lockName}, ${lockSeconds}) end as locked`;

/** Creates tables, with the rows that they begin with. */
export const migrateTables = async (
  driver: SqlDriver<object>,
  tables: readonly Table[],
  { dryRun = false }: MigrateOptions = {},
): Promise<Migrated> =>
  driver.transaction(
    async (tx) => {
      const query: Query = async (text) => (await driver.queryIn(tx, text)).rows;
      if (!dryRun) {
        const [found] = await query(lock);
        if (found?.['name'] === null) throw noDatabase();
        if (Number(found?.['locked']) !== 1)
          throw new Error(`partnerkit: another process has been migrating for ${lockSeconds} seconds.`);
      }
      try {
        const applied = await readApplied(query);
        const missing = stepsOf(tables).filter(({ name }) => !applied.has(name));
        if (!dryRun && missing.length > 0) {
          await query(createMigrations);
          for (const step of missing) {
            await query(step.sql);
            await query(note(step));
          }
        }
        return { applied: missing.map(({ name }) => name), sql: textOf(missing) };
      } finally {
        if (!dryRun) await query(`select release_lock(${lockName}) as released`).catch(() => undefined);
      }
    },
    { isolation: 'read committed' },
  );

/**
 * Brings the database up to date, one statement after the other. The server commits each by itself: a migration that
 * was interrupted goes on where it ended. Of N simultaneous processes, one migrates and the others wait for it.
 * @example
 * const pool = createPool(process.env.DATABASE_URL ?? '');
 * await migrate(pool);
 * const { sql } = await migrate(pool, { dryRun: true });
 * @public
 */
export const migrate = async (from: MysqlPool | SqlDriver<object>, options: MigrateOptions = {}): Promise<Migrated> => {
  try {
    return await migrateTables(asDriver(from), rowTables, options);
  } catch (cause) {
    throw explained(cause);
  }
};
