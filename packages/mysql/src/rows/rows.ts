import type { DurationMs, EpochMs } from '@partnerkit/core';
import {
  type Clock,
  createTurns,
  createWakes,
  noTransaction,
  type Plan,
  perform,
  type RowStore,
  type RowTx,
  type RunMode,
  repeatConflicts,
  type StoreWake,
} from '@partnerkit/core/adapter';
import type { SqlDriver } from '../drivers/driver.ts';
import { explained, hasEndedTransaction, isConflict, isNoSavepoint } from '../errors.ts';
import { type Execute, mysqlOperations } from './operations.ts';
import { mysqlReports } from './reports.ts';

/** Settings of {@link mysqlRows}, all given. */
export interface RowsSettings {
  /** Waits between tries and looks. */
  readonly clock: Clock;
  /** The time of the store in SQL, in microseconds since 1970. */
  readonly now: string;
  /** How often events of other connections are looked for. */
  readonly pollMs: DurationMs;
}

/** The time in SQL, whatever the time zone of the connection. */
export const serverTime = "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))";

/** What a call in a transaction of the host begins with. */
export const savepoint = 'savepoint partnerkit';
const undo = 'rollback to savepoint partnerkit';

/** Runs one statement: two would not read one moment. */
const once = (execute: Execute): Execute => {
  let isSent = false;
  return async (text) => {
    if (isSent) throw new TypeError('A plan of one operation sends a second statement.');
    isSent = true;
    return execute(text);
  };
};

/** Operations of a transaction that reads one moment: it asks for the time once. */
const ofOneMoment = (rows: RowTx): RowTx => {
  let moment: EpochMs | undefined;
  return {
    ...rows,
    *now() {
      moment ??= yield* rows.now();
      return moment;
    },
  };
};

const endedEarly = (): Error =>
  new Error(
    'partnerkit: the transaction ended before its work did: the server rolled it back (deadlock) and the error was ' +
      'swallowed, or a statement in it commits, such as DDL.',
  );

/** Rows in tables of MariaDB or MySQL. */
export const mysqlRows = <Tx extends object>(
  driver: SqlDriver<Tx>,
  { clock, now }: Pick<RowsSettings, 'clock' | 'now'>,
): RowStore<Tx> & { readonly wakes: ReturnType<typeof createWakes> } => {
  const wakes = createWakes();
  const inTurn = createTurns();
  /** What plans woke in a transaction of this store. */
  const wokenBy = new WeakMap<object, StoreWake[]>();
  const notify = (woken: readonly StoreWake[]): void => {
    for (const wake of woken) wakes.wake(wake);
  };
  const operationsIn = (tx: Tx): RowTx =>
    mysqlOperations(
      (text) => driver.queryIn(tx, text),
      now,
      (wake) => wokenBy.get(tx)?.push(wake),
    );

  const runOnce = async <T>(mode: RunMode, plan: (rows: RowTx) => Plan<T>): Promise<T> => {
    if (mode === 'one')
      return perform(
        plan(
          mysqlOperations(
            once((text) => driver.query(text)),
            now,
            () => undefined,
          ),
        ),
      );
    const woken: StoreWake[] = [];
    const value = await driver.transaction(
      async (tx) => {
        wokenBy.set(tx, woken);
        return perform(plan(mode === 'read' ? ofOneMoment(operationsIn(tx)) : operationsIn(tx)));
      },
      { isolation: mode === 'read' ? 'repeatable read' : 'read committed' },
    );
    notify(woken);
    return value;
  };

  const repeated = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await repeatConflicts(call, { clock, isConflict });
    } catch (cause) {
      throw explained(cause);
    }
  };

  /** Without a transaction, each statement would commit by itself, whatever happens to the host's change. */
  const open = async (tx: Tx): Promise<void> => {
    const { isInTransaction } = await driver.queryIn(tx, savepoint);
    if (isInTransaction === false) throw noTransaction();
    if (isInTransaction) return;
    try {
      await driver.queryIn(tx, undo);
    } catch (cause) {
      throw isNoSavepoint(cause) ? noTransaction() : cause;
    }
  };

  /** After a deadlock, whose error `work` may have swallowed, each later statement has committed by itself. */
  const assertOpen = async (tx: Tx): Promise<void> => {
    try {
      await open(tx);
    } catch (cause) {
      throw (cause as { code?: unknown }).code === 'no_transaction' ? endedEarly() : cause;
    }
  };

  const joinNow = async <T>(tx: Tx, plan: (rows: RowTx) => Plan<T>): Promise<T> => {
    try {
      await open(tx);
      try {
        return await perform(plan(operationsIn(tx)));
      } catch (cause) {
        if (!hasEndedTransaction(cause)) await driver.queryIn(tx, undo);
        throw cause;
      }
    } catch (cause) {
      throw explained(cause);
    }
  };

  const transaction: RowStore<Tx>['transaction'] = async (work, { signal } = {}) => {
    const woken: StoreWake[] = [];
    const value = await driver.transaction(
      async (tx) => {
        wokenBy.set(tx, woken);
        const result = await work(tx);
        await inTurn(tx, () => assertOpen(tx));
        return result;
      },
      { isolation: 'read committed', signal },
    );
    notify(woken);
    return value;
  };

  return {
    run: (mode, plan) => repeated(() => runOnce(mode, plan)),
    reports: mysqlReports((text) => repeated(async () => (await driver.query(text)).rows), now),
    join: async (tx, plan) => {
      // A transaction of Knex is a function.
      if ((typeof tx !== 'object' && typeof tx !== 'function') || tx === null) throw noTransaction();
      return inTurn(tx, () => joinNow(tx, plan));
    },
    transaction,
    maxTransactions: driver.maxTransactions,
    watch: wakes.watch,
    watchFeeds: wakes.watchFeeds,
    wakes,
  };
};
