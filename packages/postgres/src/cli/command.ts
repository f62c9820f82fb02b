import { parseArgs } from 'node:util';

/** A parsed command line. */
export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'migrate'; readonly schema: string; readonly dryRun: boolean }
  | { readonly name: 'status'; readonly schema: string }
  | { readonly name: 'sql'; readonly schema: string; readonly after: number }
  | {
      readonly name: 'partition';
      readonly schema: string;
      readonly dryRun: boolean;
      readonly days: number;
      readonly keep: number | undefined;
    };

/** The text of `--help`. */
export const usage = `Usage: npx @partnerkit/postgres <command> [options]

  migrate    bring the schema up to date, in one transaction: all or nothing
  status     list the steps, and which of them the database has
  sql        print the steps as SQL, for a migrator of your own; asks no database
  partition  make the partitions of the coming days, and drop old ones; run it each day

  --schema <name>      where the tables are (default: partnerkit)
  --dry-run            migrate, partition: change nothing, and print the SQL that would be run
  --after <version>    sql: only the steps after this version (default: 0)
  --days <days>        partition: how many days after today have partitions (default: 7)
  --keep <days>        partition: drop those that ended so many days ago, with their events and attempts;
                       without it, nothing is dropped
  --help

The database is the one that DATABASE_URL names, or PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE.

Exit codes: 0 done; 1 failed; 2 a wrong command line; 3 status: steps are missing.
`;

const options = {
  schema: { type: 'string', default: 'partnerkit' },
  'dry-run': { type: 'boolean', default: false },
  after: { type: 'string' },
  days: { type: 'string' },
  keep: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const names = ['migrate', 'status', 'sql', 'partition'];

const daysOf = (option: string, text: string, least: number): number => {
  if (!/^\d{1,4}$/.test(text) || Number(text) < least)
    throw new Error(`--${option} takes days: ${least}, ${least + 1}, …`);
  return Number(text);
};

/** Parses a command line. @throws Error that names the mistake. */
export const parseCommand = (args: readonly string[]): Command => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [name, ...more] = positionals;
  const { schema, after, days, keep, 'dry-run': dryRun } = values;
  if (values.help || name === 'help') return { name: 'help' };
  if (name === undefined) throw new Error('Which command?');
  if (!names.includes(name)) throw new Error(`Unknown command "${name}".`);
  if (more.length > 0) throw new Error(`One command at a time: "${more[0]}" is too much.`);
  if (dryRun && name !== 'migrate' && name !== 'partition')
    throw new Error('--dry-run goes with migrate and partition.');
  if (after !== undefined && name !== 'sql') throw new Error('--after goes with sql.');
  if ((days !== undefined || keep !== undefined) && name !== 'partition')
    throw new Error('--days and --keep go with partition.');
  if (name === 'migrate') return { name, schema, dryRun };
  if (name === 'status') return { name, schema };
  if (name === 'partition')
    return {
      ...{ name, schema, dryRun, days: daysOf('days', days ?? '7', 0) },
      keep: keep === undefined ? undefined : daysOf('keep', keep, 1),
    };
  if (after !== undefined && !/^\d{1,9}$/.test(after)) throw new Error('--after takes a version: 0, 1, 2, …');
  return { name: 'sql', schema, after: Number(after ?? 0) };
};
