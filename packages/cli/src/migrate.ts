import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CliError, UsageError } from './cli-error.ts';
import type { Environment } from './secrets.ts';

/** A package with a command of its own, and what to install beside it. */
interface Migrator {
  readonly name: string;
  readonly manifestIn: (require: NodeJS.Require) => string;
  readonly bin: string;
  readonly driver: string;
}

const postgres: Migrator = {
  name: '@partnerkit/postgres',
  manifestIn: (require) => require.resolve('@partnerkit/postgres/package.json'),
  bin: 'partnerkit-postgres',
  driver: ' pg',
};
const mysql: Migrator = {
  name: '@partnerkit/mysql',
  manifestIn: (require) => require.resolve('@partnerkit/mysql/package.json'),
  bin: 'partnerkit-mysql',
  driver: ' mysql2',
};

/** What is installed in a folder. */
const requireIn = <T>(folder: string, name: string, driver: string, act: (require: NodeJS.Require) => T): T => {
  try {
    return act(createRequire(join(folder, 'package.json')));
  } catch {
    throw new CliError(`${name} is not installed here: npm install ${name}${driver}`);
  }
};

/** The command of a package, as it is installed in a folder. */
const findCommand = ({ name, manifestIn, bin, driver }: Migrator, folder: string): string =>
  requireIn(folder, name, driver, (require) => {
    const manifest = manifestIn(require);
    const { bin: commands }: { bin: Readonly<Record<string, string>> } = require(manifest);
    return join(dirname(manifest), commands[bin] ?? '');
  });

/** Creates the tables in a file of SQLite. */
const migrateFile = async (
  file: string,
  args: readonly string[],
  folder: string,
  print: (text: string) => void,
): Promise<number> => {
  if (args.length > 0) throw new UsageError(`migrate takes no options for a file of SQLite: ${args[0]}.`);
  const path = requireIn(folder, '@partnerkit/sqlite', '', (require) => require.resolve('@partnerkit/sqlite'));
  const { migrateSqlite }: { migrateSqlite(file: string): void } = await import(pathToFileURL(path).href);
  try {
    migrateSqlite(resolve(folder, file));
  } catch (cause) {
    throw new CliError((cause as Error).message);
  }
  print(`The tables are in ${file}.\n`);
  return 0;
};

/**
 * Brings the database of `DATABASE_URL` up to date: `mysql:` or `mariadb:` with `@partnerkit/mysql`, `sqlite:` and a
 * path with `@partnerkit/sqlite`, else with `@partnerkit/postgres`. Resolves to the exit code.
 */
export const migrate = (
  args: readonly string[],
  {
    environment,
    folder,
    print,
  }: { readonly environment: Environment; readonly folder: string; readonly print: (text: string) => void },
): Promise<number> => {
  const { DATABASE_URL: url = '' } = environment;
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (file !== undefined) return migrateFile(file, args, folder, print);
  const command = findCommand(/^(mysql|mariadb):/.test(url) ? mysql : postgres, folder);
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, command, 'migrate', ...args], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => done(code ?? 1));
  });
};
