import type { Storage } from '@partnerkit/core/adapter';
import type { SqlDriver, SqlRow, SqlValue } from '../drivers/driver.ts';
import { codeVersion } from '../migrations/index.ts';
import { explained } from './errors.ts';
import { assertSchema } from './schema.ts';
import { isReadOnly, session, sessionProblem, sessionValues } from './session.ts';
import { type Statement, statement, value } from './statement.ts';
import { t } from './tables.ts';

/** Runs a statement of partnerkit with its named values. */
export interface Run {
  (statement: Statement<unknown>): Promise<readonly SqlRow[]>;
  <V>(statement: Statement<V>, values: NoInfer<V>): Promise<readonly SqlRow[]>;
}

/** The host's database with the tables of partnerkit. */
export interface Database<Tx extends object> {
  /** The schema of the tables. */
  readonly schema: string;
  /** Runs in READ COMMITTED, whatever the default: reads in SERIALIZABLE would fail the host's writing transactions. */
  readonly run: Run;
  /** Runs on the connection of the host's transaction only. */
  runIn(tx: Tx): Run;
  /** See {@link SqlDriver}. */
  readonly transaction: SqlDriver<Tx>['transaction'];
  /**
   * Runs `work` in a short READ COMMITTED transaction. The server ends it when this process stalls, so its locks delay
   * others only briefly. With `tx`, joins this transaction, which becomes such a one.
   */
  shortTransaction<T>(work: (run: Run) => Promise<T>, tx?: Tx): Promise<T>;
  /** See {@link SqlDriver}. */
  readonly listen: SqlDriver<Tx>['listen'];
  /** Checks schema and version. */
  readonly check: NonNullable<Storage<Tx>['check']>;
}

const findMigrations = statement`select (to_regclass(${value('table', 'text')}) is not null)::text as found, ${session}`;
const findVersion = statement`select max(version)::int as version, max(works_from)::int as needs,
  current_setting('default_transaction_isolation') as isolation from ${t.migrations}`;
const findNothing = statement`select 1`;
const findTime = statement`select (extract(epoch from clock_timestamp()) * 1000)::float8::text as now`;
const setTimeouts = statement`select set_config('idle_in_transaction_session_timeout', '10s', true),
  set_config('lock_timeout', '30s', true)`;

const readOnly =
  'partnerkit: default_transaction_read_only of the connections is on, or the server is a standby: set it to off, and ' +
  'connect to the primary.';

/** Opens the database. @throws TypeError when the schema's name is malformed. */
export const openDatabase = <Tx extends object>(driver: SqlDriver<Tx>, schema: string): Database<Tx> => {
  assertSchema(schema);
  const warned = driver.warnings ? { warnings: driver.warnings } : {};
  let checked = false;
  /** Whether the default isolation level is READ COMMITTED. */
  let readsCommitted = true;
  /** Whether the default transaction is read-only. */
  let readsOnly = false;

  /**
   * Checked on the same connection: a missing table must not fail the host's transaction, nor make it wait for another
   * connection.
   */
  const problemOf = async (run: Run): Promise<string | undefined> => {
    const [tables] = await run(findMigrations, { ...sessionValues, table: `${schema}.migrations` });
    const problem = sessionProblem(tables);
    if (problem !== undefined) return problem;
    readsOnly = isReadOnly(tables);
    const [state] = tables?.['found'] === 'true' ? await run(findVersion) : [];
    const version = Number(state?.['version'] ?? 0);
    if (version < codeVersion)
      return `partnerkit: schema "${schema}" is at version ${version} and ${codeVersion} is needed: run \`npx @partnerkit/postgres migrate\`, or name the right database and schema.`;
    if (Number(state?.['needs']) > codeVersion)
      return `partnerkit: schema "${schema}" is at version ${version}, which this version of @partnerkit/postgres cannot use: upgrade the package.`;
    readsCommitted = state?.['isolation'] === 'read committed';
    return undefined;
  };
  const assertUsable = async (run: Run): Promise<void> => {
    const problem = await problemOf(run);
    if (problem !== undefined) throw new Error(problem);
    checked = true;
  };

  const runBy =
    (send: (text: string, values: readonly SqlValue[]) => Promise<readonly SqlRow[]>): Run =>
    <V>(statement: Statement<V>, values?: V) =>
      send(statement.textIn(schema), statement.bind(values as V));

  const guarded = (send: (text: string, values: readonly SqlValue[]) => Promise<readonly SqlRow[]>): Run => {
    const plain = runBy(send);
    return async <V>(statement: Statement<V>, values?: V) => {
      try {
        if (!checked) await assertUsable(plain);
        return await plain(statement, values as V);
      } catch (cause) {
        throw explained(cause);
      }
    };
  };

  const runIn = (tx: Tx): Run => guarded((text, values) => driver.queryIn(tx, text, values));
  const runByDefault = guarded((text, values) => driver.query(text, values));
  return {
    schema,
    run: async <V>(statement: Statement<V>, values?: V) => {
      if (!checked) await runByDefault(findNothing);
      if (readsCommitted) return runByDefault(statement, values as V);
      return driver.transaction((tx) => runIn(tx)(statement, values as V));
    },
    runIn,
    transaction: (work, options) => driver.transaction(work, options),
    shortTransaction: (work, joined) => {
      const within = async (tx: Tx) => {
        const run = runIn(tx);
        await run(setTimeouts);
        return work(run);
      };
      return joined ? within(joined) : driver.transaction(within);
    },
    listen: driver.listen,
    check: async () => {
      const plain = runBy((text, values) => driver.query(text, values));
      try {
        const problem = (await problemOf(plain)) ?? (readsOnly ? readOnly : undefined);
        const [row] = await plain(findTime);
        return { now: Number(row?.['now']), findings: problem === undefined ? [] : [problem], ...warned };
      } catch (cause) {
        const told = explained(cause);
        // A refusal by the server has a remedy; after any other failure, the state is unknown.
        if (told === cause) throw cause;
        return { findings: [(told as Error).message] };
      }
    },
  };
};
