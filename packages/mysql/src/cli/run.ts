import { parseArgs } from 'node:util';
import type { MysqlPool } from '../drivers/mysql2.ts';
import { migrate, migrationSql, migrationStatus } from '../migrations.ts';

const usage = `Usage: npx @partnerkit/mysql <command> [options]

  migrate    bring the database up to date, one statement after the other
  status     list the steps, and which of them the database has
  sql        print the steps as SQL, for a migrator of your own; asks no database

  --dry-run            migrate: change nothing, and print the SQL that would be run
  --help

The database is the one that DATABASE_URL names: mysql://user:password@host:3306/database

Exit codes: 0 done; 1 failed; 2 a wrong command line; 3 status: steps are missing.
`;

type Environment = Readonly<Record<string, string | undefined>>;
type Name = 'help' | 'migrate' | 'status' | 'sql';

const options = {
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const parse = (args: readonly string[]): { readonly name: Name; readonly dryRun: boolean } => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [name, ...more] = positionals;
  const dryRun = values['dry-run'];
  if (values.help || name === 'help') return { name: 'help', dryRun };
  if (name === undefined) throw new Error('Which command?');
  if (name !== 'migrate' && name !== 'status' && name !== 'sql') throw new Error(`Unknown command "${name}".`);
  if (more.length > 0) throw new Error(`One command at a time: "${more[0]}" is too much.`);
  if (dryRun && name !== 'migrate') throw new Error('--dry-run goes with migrate.');
  return { name, dryRun };
};

const load = async () => {
  try {
    return await import('mysql2/promise');
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Error('The package "mysql2" is not installed here: npm install mysql2');
  }
};

const inDatabase = async <T>({ DATABASE_URL: uri }: Environment, act: (pool: MysqlPool) => Promise<T>): Promise<T> => {
  if (!uri) throw new Error('Which database? Set DATABASE_URL.');
  if (!URL.canParse(uri) || !/^(mysql|mariadb):$/.test(new URL(uri).protocol) || new URL(uri).pathname.length < 2)
    throw new Error('DATABASE_URL is no address: mysql://user:password@host:3306/database');
  const { createPool } = await load();
  const pool = createPool({ uri, connectionLimit: 1, connectTimeout: 10_000 });
  try {
    return await act(pool);
  } finally {
    await pool.end();
  }
};

const print = (text: string): void => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);

/** An error, or one of several that belong together. */
type Told = Partial<Pick<AggregateError, 'message' | 'errors' | 'cause'>> & { readonly code?: unknown };

/** The messages of an error and its causes, without the password: drivers and servers may quote it. */
const textOf = (cause: unknown, { DATABASE_URL: uri = '' }: Environment): string => {
  const told: string[] = [];
  for (let each = cause as Told | undefined; typeof each?.message === 'string'; each = each.cause as Told | undefined)
    told.push(each.message || each.errors?.map(String).join('; ') || String(each.code));
  const written = /^\w+:\/\/[^:@/]*:(.*)@/.exec(uri)?.[1] ?? '';
  const decoded = URL.canParse(uri) ? decodeURIComponent(new URL(uri).password) : '';
  return [written, decoded]
    .filter((password) => password !== '')
    .reduce((text, password) => text.replaceAll(password, '***'), told.join('\n  ') || String(cause));
};

const bringUpToDate = async (dryRun: boolean, environment: Environment): Promise<number> => {
  const { applied, sql } = await inDatabase(environment, (pool) => migrate(pool, { dryRun }));
  const did = dryRun ? 'would run' : 'ran';
  const summary = `The database ${applied.length === 0 ? 'is up to date' : `${did} ${applied.join(', ')}`}.`;
  // A comment, so that the output can be piped into a client.
  print(dryRun ? `-- ${summary}\n${sql}` : summary);
  return 0;
};

const listSteps = async (environment: Environment): Promise<number> => {
  const steps = await inDatabase(environment, (pool) => migrationStatus(pool));
  print(steps.map(({ name, applied }) => `${name}: ${applied ? 'applied' : 'missing'}`).join('\n'));
  return steps.every(({ applied }) => applied) ? 0 : 3;
};

/** Runs a command line; resolves to its exit code. */
export const run = async (args: readonly string[], environment: Environment): Promise<number> => {
  let command: ReturnType<typeof parse>;
  try {
    command = parse(args);
  } catch (cause) {
    process.stderr.write(`${textOf(cause, environment)}\nTry npx @partnerkit/mysql --help.\n`);
    return 2;
  }
  try {
    if (command.name === 'migrate') return await bringUpToDate(command.dryRun, environment);
    if (command.name === 'status') return await listSteps(environment);
    print(command.name === 'sql' ? migrationSql() : usage);
    return 0;
  } catch (cause) {
    process.stderr.write(`${textOf(cause, environment)}\n`);
    return 1;
  }
};
