import { createHash } from 'node:crypto';
import type { SqlDriver } from './driver.ts';
import { fromPg, type PgPool } from './drivers/pg.ts';
import { explained } from './errors.ts';
import { type Migration, migrations } from './migrations/index.ts';
import { inSchema } from './schema.ts';

/** How to migrate. @public */
export interface MigrateOptions {
  /** @defaultValue 'partnerkit' */
  readonly schema?: string;
  /** Change nothing, and say what would be run. @defaultValue false */
  readonly dryRun?: boolean;
}

/** A step, and whether the database has it. @public */
export interface MigrationStatus {
  readonly version: number;
  readonly name: string;
  readonly applied: boolean;
}

/** What {@link migrate} did, or would do. @public */
export interface Migrated {
  /** The steps that were run. */
  readonly applied: readonly MigrationStatus[];
  /** All statements of theirs, in order. */
  readonly sql: string;
}

const checksum = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex');

const begin = `create schema if not exists partnerkit;
create table if not exists partnerkit.migrations (
  version integer primary key,
  name text not null,
  works_from integer not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);
`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const note = (migration: Migration): string =>
  `insert into partnerkit.migrations (version, name, works_from, checksum) values (${migration.version}, ${literal(migration.name)}, ${migration.worksFrom}, ${literal(checksum(migration))});\n`;

/**
 * The SQL of a schema, for a migrator of the host's own: it notes what it did, so both ways may be mixed.
 * @example
 * await writeFile('migrations/20260101_partnerkit.sql', migrationSql({ schema: 'partnerkit' }));
 * @throws TypeError when the schema's name is none.
 * @public
 */
export const migrationSql = ({
  schema = 'partnerkit',
  after = 0,
}: {
  readonly schema?: string;
  /** Only the steps after this version. @defaultValue 0 */
  readonly after?: number;
} = {}): string => {
  const steps = migrations.filter(({ version }) => version > after);
  return steps.length === 0
    ? ''
    : inSchema(schema)([begin, ...steps.map((step) => `${step.sql.trim()}\n${note(step)}`)].join('\n'));
};

interface Applied {
  readonly version: number;
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

const readApplied = async (
  query: (text: string, values: readonly string[]) => Promise<readonly Readonly<Record<string, unknown>>[]>,
  schema: string,
): Promise<readonly Applied[]> => {
  const [tables] = await query('select to_regclass($1) is not null as found', [`${schema}.migrations`]);
  if (tables?.['found'] !== true) return [];
  const rows = await query(
    inSchema(schema)('select version::int, checksum from partnerkit.migrations order by version'),
    [],
  );
  return rows.map((row) => ({ version: Number(row['version']), checksum: String(row['checksum']) }));
};

const statuses = (applied: readonly Applied[]): readonly MigrationStatus[] =>
  migrations.map(({ version, name }) => ({ version, name, applied: applied.some((each) => each.version === version) }));

/**
 * The steps of a schema, and which of them the database has.
 * @example
 * const missing = (await migrationStatus(pool)).filter(({ applied }) => !applied);
 * @public
 */
export const migrationStatus = async (
  from: PgPool | SqlDriver<object>,
  { schema = 'partnerkit' }: { readonly schema?: string } = {},
): Promise<readonly MigrationStatus[]> => {
  const driver = asDriver(from);
  const applied = await readApplied((text, values) => driver.query(text, values), schema);
  assertUnchanged(applied, schema);
  return statuses(applied);
};

/**
 * Brings a schema up to date, in one transaction: all or nothing. Any number of processes may do so at once: one does the work,
 * the others wait for it.
 * @example
 * await migrate(pool);
 * const { sql } = await migrate(pool, { dryRun: true });
 * @throws TypeError when the schema's name is none.
 * @public
 */
export const migrate = async (
  from: PgPool | SqlDriver<object>,
  { schema = 'partnerkit', dryRun = false }: MigrateOptions = {},
): Promise<Migrated> => {
  const driver = asDriver(from);
  const sql = inSchema(schema);
  try {
    return await driver.transaction(async (tx) => {
      const query = (text: string, values: readonly string[]) => driver.queryIn(tx, text, values);
      if (!dryRun) await query(sql("select pg_advisory_xact_lock(hashtextextended('partnerkit:migrate', 0))"), []);
      const applied = await readApplied(query, schema);
      assertUnchanged(applied, schema);
      const after = Math.max(0, ...applied.map(({ version }) => version));
      const missing = statuses(applied).filter((step) => step.version > after);
      const text = migrationSql({ schema, after });
      if (text !== '' && !dryRun) await query(text, []);
      return { applied: missing, sql: text };
    });
  } catch (cause) {
    throw explained(cause);
  }
};
