import { createHash } from 'node:crypto';
import type { SqlDriver, SqlRow } from '../drivers/driver.ts';
import { fromPg, type PgPool } from '../drivers/pg.ts';
import { codeVersion, type Migration, migrations } from '../migrations/index.ts';
import { explainedMigration } from './errors.ts';
import { assertSchema } from './schema.ts';

/** Options of {@link migrate}. @public */
export interface MigrateOptions {
  /** The schema of the tables. @defaultValue 'partnerkit' */
  readonly schema?: string;
  /** Changes nothing and returns the SQL that would run. @defaultValue false */
  readonly dryRun?: boolean;
}

/** A migration, and whether the database has it. @public */
export interface MigrationStatus {
  /** 1 for the first. */
  readonly version: number;
  /** The migration's name. */
  readonly name: string;
  /** Whether the database has it. */
  readonly applied: boolean;
}

/** The result of {@link migrate}. @public */
export interface Migrated {
  /** The migrations that ran, or would run. */
  readonly applied: readonly MigrationStatus[];
  /** Their statements, in order. */
  readonly sql: string;
}

const checksum = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex');

/** A migration is written for the schema `partnerkit`, as a DBA reviews it. */
const textIn = ({ sql }: Migration, schema: string): string => sql.trim().replaceAll('partnerkit.', `"${schema}".`);

/** An existing schema is left as it is: then no privilege on the database is needed. */
const begin = (schema: string): string => `do $$ begin
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'partnerkit keeps any text, and the encoding of this database is %: use one in UTF8.',
      current_setting('server_encoding') using errcode = 'feature_not_supported';
  end if;
  if to_regnamespace('${schema}') is null then
    create schema "${schema}";
  end if;
end $$;
create table if not exists "${schema}".migrations (
  version integer primary key,
  name text not null,
  works_from integer not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);
`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const note = (migration: Migration, schema: string): string =>
  `insert into "${schema}".migrations (version, name, works_from, checksum) values (${migration.version}, ${literal(migration.name)}, ${migration.worksFrom}, ${literal(checksum(migration))});\n`;

/**
 * The SQL of the migrations, for your own migration tool: several statements, to run in one transaction. It records
 * what it applied, so both ways can be mixed. Empty when there is no migration after `after`.
 * @example
 * await writeFile('migrations/20260101_partnerkit.sql', migrationSql({ schema: 'partnerkit' }));
 * @throws TypeError when the schema's name is malformed, or `after` is no version.
 * @public
 */
export const migrationSql = ({
  schema = 'partnerkit',
  after = 0,
}: {
  /** Schema of the tables. @defaultValue `partnerkit` */
  readonly schema?: string;
  /** Only migrations after this version. @defaultValue 0 */
  readonly after?: number;
} = {}): string => {
  assertSchema(schema);
  if (!Number.isSafeInteger(after) || after < 0) throw new TypeError('after: a version: 0, 1, 2, …');
  const steps = migrations.filter(({ version }) => version > after);
  if (steps.length === 0) return '';
  return [begin(schema), ...steps.map((step) => `${textIn(step, schema)}\n${note(step, schema)}`)].join('\n');
};

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

const assertUnchanged = (applied: readonly Applied[], schema: string): void => {
  for (const { version, checksum: known } of applied) {
    const step = migrations.find((each) => each.version === version);
    if (step && checksum(step) !== known)
      throw new Error(
        `partnerkit: step ${version} of schema "${schema}" was run with other SQL than this package has. Was it edited? Nothing was changed.`,
      );
  }
};

const asDriver = (from: PgPool | SqlDriver<object>): SqlDriver<object> =>
  'queryIn' in from ? from : fromPg(from, { prepare: false, listen: false });

type Query = (text: string) => Promise<readonly SqlRow[]>;

const readApplied = async (query: Query, schema: string): Promise<readonly Applied[]> => {
  // Not `to_regclass`: after waiting for another migration, it may return this connection's cached result.
  const [tables] = await query(
    `select exists(select 1 from pg_catalog.pg_tables where schemaname = '${schema}' and tablename = 'migrations')::text as found`,
  );
  if (tables?.['found'] !== 'true') return [];
  const rows = await query(`select version::int, name, checksum from "${schema}".migrations order by version`);
  const applied = rows.map((row) => ({
    version: Number(row['version']),
    name: String(row['name']),
    checksum: String(row['checksum']),
  }));
  assertUnchanged(applied, schema);
  return applied;
};

const statuses = (applied: readonly Applied[]): readonly MigrationStatus[] => {
  const known = migrations.map(({ version, name }) => ({
    version,
    name,
    applied: applied.some((each) => each.version === version),
  }));
  const newer = applied.filter(({ version }) => version > codeVersion);
  return [...known, ...newer.map(({ version, name }) => ({ version, name, applied: true }))];
};

/**
 * The migrations of a schema, and whether the database has each. Includes those that only a later version of this
 * package has.
 * @example
 * const missing = (await migrationStatus(pool)).filter(({ applied }) => !applied);
 * @throws TypeError when the schema's name is malformed.
 * @public
 */
export const migrationStatus = async (
  from: PgPool | SqlDriver<object>,
  {
    schema = 'partnerkit',
  }: {
    /** Schema of the tables. @defaultValue `partnerkit` */
    readonly schema?: string;
  } = {},
): Promise<readonly MigrationStatus[]> => {
  assertSchema(schema);
  const driver = asDriver(from);
  try {
    return statuses(await readApplied((text) => driver.query(text, []), schema));
  } catch (cause) {
    throw explainedMigration(cause);
  }
};

/**
 * Brings a schema up to date, in one transaction: all or nothing. Of N simultaneous processes, one migrates and the
 * others wait for it.
 * @example
 * await migrate(pool);
 * const { sql } = await migrate(pool, { dryRun: true });
 * @throws TypeError when the schema's name is malformed.
 * @public
 */
export const migrate = async (
  from: PgPool | SqlDriver<object>,
  { schema = 'partnerkit', dryRun = false }: MigrateOptions = {},
): Promise<Migrated> => {
  const driver = asDriver(from);
  assertSchema(schema);
  const lock = `select pg_advisory_xact_lock(hashtextextended('${schema}:migrate', 0))::text as locked`;
  try {
    return await driver.transaction(async (tx) => {
      const query: Query = (text) => driver.queryIn(tx, text, []);
      if (!dryRun) await query(lock);
      const applied = await readApplied(query, schema);
      const after = Math.max(0, ...applied.map(({ version }) => version));
      const sql = migrationSql({ schema, after });
      if (sql !== '' && !dryRun) await query(sql);
      return { applied: statuses(applied).filter((step) => !step.applied), sql };
    });
  } catch (cause) {
    throw explainedMigration(cause);
  }
};
