import type { StorageCheck, Table } from '@partnerkit/core/adapter';
import { explainedRows } from '../database/errors.ts';
import { isReadOnly, session, sessionProblem, sessionValues } from '../database/session.ts';
import { statement } from '../database/statement.ts';
import type { SqlDriver, SqlRow } from '../drivers/driver.ts';
import { readSteps } from './migrate.ts';
import type { Query } from './operations.ts';
import { stepsIn } from './tables.ts';

const findSession = statement`select ${session}, current_setting('default_transaction_isolation') as isolation,
  exists (select 1 from pg_catalog.pg_extension where extname = 'citus')::int4 as distributed`;

/** The session of a host: what must change before it is used, and its settings. */
export interface SessionState {
  readonly problem: string | undefined;
  readonly isReadOnly: boolean;
  readonly isSerializable: boolean;
  /** Whether the server is one of a cluster of Citus. */
  readonly isDistributed: boolean;
}

/** Where rows are. */
export interface RowPlace {
  readonly schema: string;
  readonly tables: readonly Table[];
}

/** Reads a session and the steps of the migrations, on the connection of `query`. */
export const readState = async (query: Query, { schema, tables }: RowPlace): Promise<SessionState> => {
  const [row] = await query(findSession.textIn(schema), findSession.bind(sessionValues));
  const problem = sessionProblem(row);
  const state = {
    isReadOnly: isReadOnly(row),
    isSerializable: row?.['isolation'] === 'serializable',
    isDistributed: Number(row?.['distributed']) === 1,
  };
  if (problem !== undefined) return { ...state, problem };
  const applied = await readSteps((text) => query(text, []), schema);
  const missing = stepsIn(schema, tables).filter(({ name }) => !applied.has(name));
  return {
    ...state,
    problem:
      missing.length === 0
        ? undefined
        : `partnerkit: schema "${schema}" lacks ${missing.length} steps, from "${missing[0]?.name}": call migrateRows(pool, { schema: '${schema}' }), or name the right database and schema.`,
  };
};

const readOnly =
  'partnerkit: default_transaction_read_only of the connections is on, or the server is a standby: set it to off, and ' +
  'connect to the primary.';

/** Half of the safe integers is left for rows. */
const largestStart = Number.MAX_SAFE_INTEGER / 2;

const sequencesOf = (schema: string): string =>
  `select max(greatest(coalesce(last_value, start_value), min_value)) as largest from pg_catalog.pg_sequences ` +
  `where schemaname = '${schema}'`;

const unsafe = (largest: unknown): string =>
  `partnerkit: sequences of this server are at ${largest}, and positions must stay below 2^53: connect to the ` +
  'coordinator, or to a node with a smaller group id.';

/** Checks session, tables and sequences. */
export const checkRows = async (
  driver: Pick<SqlDriver<object>, 'query' | 'warnings'>,
  place: RowPlace,
  now: () => string,
): Promise<StorageCheck> => {
  const read = async (text: string): Promise<SqlRow | undefined> => (await driver.query(text, []))[0];
  try {
    const { problem, isReadOnly } = await readState((text, values) => driver.query(text, values), place);
    const largest = (await read(sequencesOf(place.schema)))?.['largest'];
    const findings = [
      ...(problem === undefined ? [] : [problem]),
      ...(isReadOnly ? [readOnly] : []),
      ...(Number(largest) > largestStart ? [unsafe(largest)] : []),
    ];
    const row = await read(`select ${now()} as now`);
    const warned = driver.warnings ? { warnings: driver.warnings } : {};
    return { now: Number(row?.['now']), findings, ...warned };
  } catch (cause) {
    const told = explainedRows(cause);
    // A refusal by the server has a remedy; after any other failure, the state is unknown.
    if (told === cause) throw cause;
    return { findings: [(told as Error).message] };
  }
};
