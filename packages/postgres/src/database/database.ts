import type { Storage } from '@partnerkit/core/ports';
import type { SqlDriver, SqlRow, SqlValue } from '../drivers/driver.ts';
import { codeVersion } from '../migrations/index.ts';
import { explained } from './errors.ts';
import { inSchema } from './schema.ts';

/** One column of the rows bound to a statement, for `unnest`. @internal */
export type SqlColumn = readonly SqlValue[];

/** Runs a statement of partnerkit. @internal */
export type Run = (text: string, values?: readonly (SqlValue | SqlColumn)[]) => Promise<readonly SqlRow[]>;

/** Escapes that only JSON knows: control characters and lone surrogates. */
const jsonOnly = /\\[^"\\]/;

const elementText = (value: SqlValue): string =>
  typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);

/**
 * An array literal. Drivers write arrays differently, or not at all. JSON escapes the same way in most cases, and
 * faster.
 */
const arrayText = (values: SqlColumn): string => {
  const json = JSON.stringify(values);
  return `{${jsonOnly.test(json) ? values.map(elementText).join(',') : json.slice(1, -1)}}`;
};

/** The host's database with the tables of partnerkit. @internal */
export interface Database<Tx extends object> {
  /** Writes a statement for the schema, once per statement. */
  readonly sql: (text: string) => string;
  /** Runs in READ COMMITTED, whatever the default: reads in SERIALIZABLE would fail the host's writing transactions. */
  readonly run: Run;
  /** Runs on the connection of the host's transaction only. */
  runIn(tx: Tx): Run;
  /** See {@link SqlDriver}. */
  readonly transaction: SqlDriver<Tx>['transaction'];
  /**
   * Runs `work` in a short READ COMMITTED transaction. The server ends it when this process stalls, so its locks delay
   * others only briefly.
   */
  shortTransaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** See {@link SqlDriver}. */
  readonly listen: SqlDriver<Tx>['listen'];
  /** Checks schema and version. */
  readonly check: NonNullable<Storage<Tx>['check']>;
}

/** Opens the database. @throws TypeError when the schema's name is malformed. @internal */
export const openDatabase = <Tx extends object>(driver: SqlDriver<Tx>, schema: string): Database<Tx> => {
  const sql = inSchema(schema);
  const [findTables, findVersion] = [
    'select (to_regclass($1) is not null)::text as found',
    sql(
      "select max(version)::int as version, max(works_from)::int as needs, current_setting('default_transaction_isolation') as isolation from partnerkit.migrations",
    ),
  ];
  const setTimeouts =
    "select set_config('idle_in_transaction_session_timeout', '10s', true), set_config('lock_timeout', '30s', true)";
  const warned = driver.warnings ? { warnings: driver.warnings } : {};
  let checked = false;
  /** Whether the default isolation level is READ COMMITTED. */
  let readsCommitted = true;

  /**
   * Checked on the same connection: a missing table must not fail the host's transaction, nor make it wait for another
   * connection.
   */
  const problemOf = async (run: Run): Promise<string | undefined> => {
    const [tables] = await run(findTables, [`${schema}.migrations`]);
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

  const guarded = (run: (text: string, values: readonly SqlValue[]) => Promise<readonly SqlRow[]>): Run => {
    const plain: Run = (text, values = []) =>
      run(
        text,
        values.map((value) => (typeof value === 'object' && value !== null ? arrayText(value) : value)),
      );
    return async (text, values) => {
      try {
        if (!checked) await assertUsable(plain);
        return await plain(text, values);
      } catch (cause) {
        throw explained(cause);
      }
    };
  };

  const runIn = (tx: Tx): Run => guarded((text, values) => driver.queryIn(tx, text, values));
  const runByDefault = guarded((text, values) => driver.query(text, values));
  return {
    sql,
    run: async (text, values) => {
      if (!checked) await runByDefault('select 1');
      return readsCommitted ? runByDefault(text, values) : driver.transaction((tx) => runIn(tx)(text, values));
    },
    runIn,
    transaction: (work, options) => driver.transaction(work, options),
    shortTransaction: (work) =>
      driver.transaction(async (tx) => {
        const run = runIn(tx);
        await run(setTimeouts);
        return work(run);
      }),
    listen: driver.listen,
    check: async () => {
      const plain: Run = (text, values = []) => driver.query(text, values as readonly SqlValue[]);
      try {
        const problem = await problemOf(plain);
        const [row] = await plain('select (extract(epoch from clock_timestamp()) * 1000)::float8::text as now');
        return { now: Number(row?.['now']), findings: problem === undefined ? [] : [problem], ...warned };
      } catch (cause) {
        const told = explained(cause);
        // A refusal by the server has a remedy; after any other failure, the state is unknown.
        if (told === cause || !(told instanceof Error)) throw cause;
        return { findings: [told.message] };
      }
    },
  };
};
