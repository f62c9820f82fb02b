import { type MigrationStatus, migrate, migrationSql, migrationStatus } from '../database/migrate.ts';
import { assertSchema } from '../database/schema.ts';
import type { PgPool } from '../drivers/pg.ts';
import { codeVersion } from '../migrations/index.ts';
import { partition } from '../partitions/partition.ts';
import { type Command, parseCommand, usage } from './command.ts';
import { connect, type Environment } from './connect.ts';
import { errorText } from './error-text.ts';

const exit = { done: 0, failed: 1, wrongUse: 2, missing: 3 } as const;

const print = (text: string): void => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
const printError = (text: string): void => void process.stderr.write(`${text}\n`);

const named = (steps: readonly MigrationStatus[]): string =>
  steps.map(({ version, name }) => `${version} ${name}`).join(', ');

const inDatabase = async <T>(environment: Environment, act: (pool: PgPool) => Promise<T>): Promise<T> => {
  const pool = await connect(environment);
  try {
    return await act(pool);
  } finally {
    await pool.end();
  }
};

const bringUpToDate = async ({ schema, dryRun }: Command & { name: 'migrate' }, environment: Environment) => {
  const { applied, sql } = await inDatabase(environment, (pool) => migrate(pool, { schema, dryRun }));
  const did = dryRun ? 'would run' : 'ran';
  const summary = `Schema "${schema}" ${applied.length === 0 ? 'is up to date' : `${did} ${named(applied)}`}.`;
  // A comment, so that the output can be piped into psql.
  print(dryRun ? `-- ${summary}\n${sql}` : summary);
  return exit.done;
};

const listSteps = async ({ schema }: Command & { name: 'status' }, environment: Environment) => {
  const steps = await inDatabase(environment, (pool) => migrationStatus(pool, { schema }));
  const standing = ({ version, applied }: MigrationStatus): string =>
    version > codeVersion ? 'applied by a later version of this package' : applied ? 'applied' : 'missing';
  print([`Schema "${schema}":`, ...steps.map((step) => `  ${named([step])}: ${standing(step)}`)].join('\n'));
  return steps.every(({ applied }) => applied) ? exit.done : exit.missing;
};

const did = {
  make: { done: 'made', planned: 'would be made' },
  drop: { done: 'dropped', planned: 'would be dropped' },
};

const divide = async ({ schema, dryRun, days, keep }: Command & { name: 'partition' }, environment: Environment) => {
  const outcomes = await inDatabase(environment, (pool) => partition(pool, { schema, dryRun, days, keep }));
  const lines = outcomes.map(({ step: { kind, name, sql }, skipped }) => {
    const told = skipped ?? did[kind][dryRun ? 'planned' : 'done'];
    // A comment and a transaction, so that the output can be piped into psql.
    return dryRun
      ? `-- ${name}: ${told}\n${skipped === undefined ? `begin;\n${sql}commit;\n` : ''}`
      : `  ${name}: ${told}`;
  });
  const comment = dryRun ? '-- ' : '';
  print([`${comment}Schema "${schema}"${lines.length === 0 ? ': nothing to do.' : ':'}`, ...lines].join('\n'));
  return exit.done;
};

const readCommand = (args: readonly string[]): Command => {
  const command = parseCommand(args);
  if (command.name !== 'help') assertSchema(command.schema);
  return command;
};

/** Runs a command line; resolves to its exit code. */
export const run = async (args: readonly string[], environment: Environment): Promise<number> => {
  let command: Command;
  try {
    command = readCommand(args);
  } catch (cause) {
    printError(`${errorText(cause, environment)}\nTry npx @partnerkit/postgres --help.`);
    return exit.wrongUse;
  }
  try {
    switch (command.name) {
      case 'help':
        print(usage);
        return exit.done;
      case 'sql':
        print(migrationSql(command) || `-- There is no step after ${command.after}.`);
        return exit.done;
      case 'status':
        return await listSteps(command, environment);
      case 'migrate':
        return await bringUpToDate(command, environment);
      case 'partition':
        return await divide(command, environment);
    }
  } catch (cause) {
    printError(errorText(cause, environment));
    return exit.failed;
  }
};
