import {
  type Clock,
  createTurns,
  type NewEvent,
  noTransaction,
  type Plan,
  perform,
  type RowStore,
  type RowTx,
  type RunMode,
  repeatConflicts,
  type StoreWake,
} from '@partnerkit/core/adapter';
import type { Run } from '../database/database.ts';
import { explainedRows } from '../database/errors.ts';
import type { Statement } from '../database/statement.ts';
import type { SqlDriver, SqlRow, SqlValue } from '../drivers/driver.ts';
import { insertEvents } from './append.ts';
import { checkRows, type RowPlace, readState } from './check.ts';
import type { FullDialect } from './dialect.ts';
import { type OperationsOptions, rowOperations } from './operations.ts';
import { shapesIn } from './shape.ts';
import { createWaking } from './waking.ts';

/** Settings of {@link postgresRows}, all given. */
export interface RowsSettings extends RowPlace {
  readonly dialect: FullDialect;
  /** Whether notifications name events. */
  readonly announces: boolean;
  /** Waits between tries. */
  readonly clock: Pick<Clock, 'sleep'>;
  /** The time of the store in SQL, in milliseconds since 1970. */
  readonly now: () => string;
}

/** Rows in tables of a schema. */
export interface PostgresRows<Tx extends object> extends RowStore<Tx> {
  readonly check: NonNullable<RowStore<Tx>['check']>;
  /** Publishes events without idempotency keys by one statement of the transaction. On Citus, a single event is two. */
  appendIn(tx: Tx, events: readonly NewEvent[]): Promise<void>;
  /** Publishes events without idempotency keys by one statement. */
  appendAlone(events: readonly NewEvent[]): Promise<void>;
}

/** In milliseconds since 1970, by the clock of the node that answers. */
export const serverTime = (): string => '(extract(epoch from clock_timestamp()) * 1000)::float8';

/** SQLSTATE of a duplicate key. */
const duplicate = '23505';

/** How many causes are below an error. */
const maxCauses = 5;

const hasCode = (cause: unknown, codes: readonly string[], depth = maxCauses): boolean => {
  if (typeof cause !== 'object' || cause === null || depth === 0) return false;
  const { code, cause: below } = cause as { readonly code?: unknown; readonly cause?: unknown };
  return codes.includes(String(code)) || hasCode(below, codes, depth - 1);
};

const readOneMoment = 'set transaction isolation level repeatable read, read only';
const savepoint = 'savepoint partnerkit_rows';
const undo = 'rollback to savepoint partnerkit_rows';
const release = 'release savepoint partnerkit_rows';

/** Rows in tables of PostgreSQL, or of an engine that speaks its SQL. */
export const postgresRows = <Tx extends object>(
  driver: SqlDriver<Tx>,
  { schema, tables, dialect, announces, clock, now }: RowsSettings,
): PostgresRows<Tx> => {
  const shapeOf = shapesIn(schema);
  const inTurn = createTurns();
  const isConflict = (cause: unknown): boolean => hasCode(cause, dialect.conflicts);
  /** What plans woke in a transaction of this store. */
  const wokenBy = new WeakMap<Tx, StoreWake[]>();
  let checked = false;
  /** Whether a single statement would fail the host's transactions. */
  let isSerializable = false;
  /** Whether a single event is two plain inserts, which Citus leaves to the node. */
  let isDistributed = false;

  /** Checked on the same connection, before the first statement: a missing table must not fail a host's transaction. */
  const guarded =
    (send: OperationsOptions['query']): OperationsOptions['query'] =>
    async (text, values) => {
      try {
        if (!checked) {
          const state = await readState(send, { schema, tables });
          if (state.problem !== undefined) throw new Error(state.problem);
          ({ isSerializable, isDistributed } = state);
          checked = true;
        }
        return await send(text, values);
      } catch (cause) {
        throw explainedRows(cause);
      }
    };
  const query = guarded((text, values) => driver.query(text, values));
  const queryIn = (tx: Tx): OperationsOptions['query'] =>
    guarded(
      (text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> => driver.queryIn(tx, text, values),
    );

  const run: Run = <V>(statement: Statement<V>, values?: V) =>
    query(statement.textIn(schema), statement.bind(values as V));
  const listen = dialect.hasListen ? driver.listen : undefined;
  const waking = createWaking<Tx>({ schema, listen, run }, announces);
  const wakeAll = (woken: readonly StoreWake[]): void => {
    for (const wake of woken) waking.committed(wake);
  };
  /** Those of a transaction of this store are woken after its commit, those of a host's soon. */
  const wakeIn =
    (tx: Tx) =>
    (wake: StoreWake): void => {
      const woken = wokenBy.get(tx);
      if (woken) woken.push(wake);
      else waking.soon(wake);
    };
  const operationsIn = (tx: Tx, beforeWrite?: () => Promise<void>): RowTx =>
    rowOperations({ dialect, shapeOf, now, query: queryIn(tx), beforeWrite, wake: wakeIn(tx) });

  const transactOnce: RowStore<Tx>['transaction'] = async (work, options) => {
    const woken: StoreWake[] = [];
    const value = await driver.transaction(async (tx) => {
      wokenBy.set(tx, woken);
      try {
        return await work(tx);
      } finally {
        wokenBy.delete(tx);
      }
    }, options);
    wakeAll(woken);
    return value;
  };
  const transaction: RowStore<Tx>['transaction'] = (work, options) =>
    repeatConflicts(() => transactOnce(work, options), {
      clock,
      // A duplicate may be one of the host's function that the transaction calls.
      isConflict: (cause) => isConflict(cause) && !hasCode(cause, [duplicate]),
      signal: options?.signal,
    });

  const runOnce = async <T>(mode: RunMode, plan: (rows: RowTx) => Plan<T>): Promise<T> => {
    if (mode === 'one' && checked && !isSerializable)
      return perform(plan(rowOperations({ dialect, shapeOf, now, query, wake: () => undefined })));
    return transactOnce(async (tx) => {
      // Before the guard: the level is set before any query.
      if (mode !== 'write') await driver.queryIn(tx, readOneMoment, []);
      return perform(plan(operationsIn(tx)));
    });
  };

  /** Before its first write, the plan gets a savepoint: one that throws leaves no row behind. */
  const joinNow = async <T>(tx: Tx, plan: (rows: RowTx) => Plan<T>): Promise<T> => {
    const send = queryIn(tx);
    let isSaved = false;
    const save = async (): Promise<void> => {
      if (isSaved) return;
      await send(savepoint, []);
      isSaved = true;
    };
    try {
      const value = await perform(plan(operationsIn(tx, save)));
      if (isSaved) await send(release, []);
      return value;
    } catch (cause) {
      // After a conflict, the server takes no statement; the error of the plan says more.
      if (
        isSaved &&
        !hasCode(
          cause,
          dialect.conflicts.filter((code) => code !== duplicate),
        )
      )
        await send(undo, []);
      throw cause;
    }
  };

  const insertIn = (tx: Tx, events: readonly NewEvent[]): Promise<StoreWake> =>
    insertEvents({ shapeOf, now, query: queryIn(tx), isApart: isDistributed }, events);

  return {
    run: (mode, plan) => repeatConflicts(() => runOnce(mode, plan), { clock, isConflict }),
    join: async (tx, plan) => {
      // A transaction of Knex is a function.
      if ((typeof tx !== 'object' && typeof tx !== 'function') || tx === null) throw noTransaction();
      return inTurn(tx, () => joinNow(tx, plan));
    },
    transaction,
    maxTransactions: driver.maxTransactions,
    appendIn: async (tx, events) => {
      if ((typeof tx !== 'object' && typeof tx !== 'function') || tx === null) throw noTransaction();
      wakeIn(tx)(await inTurn(tx, () => insertIn(tx, events)));
    },
    appendAlone: async (events) => {
      if (isDistributed) return transaction(async (tx) => wakeIn(tx)(await insertIn(tx, events)));
      const insert = () => insertEvents({ shapeOf, now, query, isApart: false }, events);
      waking.committed(await repeatConflicts(insert, { clock, isConflict }));
    },
    watch: waking.watch,
    watchFeeds: waking.watchFeeds,
    check: () => checkRows(driver as SqlDriver<object>, { schema, tables }, now),
  };
};
