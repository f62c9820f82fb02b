import { checkLaws, historyArbitrary, simulate } from '@partnerkit/conformance/simulator';
import type { Storage } from '@partnerkit/core/adapter';
import fc from 'fast-check';
import pg from 'pg';
import { expect } from 'vitest';
import { fromPg, type PgClient } from '../../src/index.ts';
import { fullDialect } from '../../src/rows/dialect.ts';
import { storageOver } from '../../src/rows/storage.ts';
import { emptyTables, rowsOver } from './rows-database.ts';
import { settledDriver } from './settled-driver.ts';

/** A history has wakes of its own. */
const silent = fullDialect('test', { hasListen: false });

/**
 * Each transaction has an object of its own: the simulator knows transactions by it, and connections serve many. A
 * process that died may still publish: not in the next transaction of its connection.
 */
const distinct = (storage: Storage<PgClient>): Storage<object> => {
  const clients = new WeakMap<object, PgClient>();
  return {
    ...(storage as unknown as Storage<object>),
    events: { ...storage.events, append: (tx, events) => storage.events.append(clients.get(tx) as PgClient, events) },
    transaction: (work, options) =>
      storage.transaction(async (client) => {
        const tx = {};
        clients.set(tx, client);
        try {
          return await work(tx);
        } finally {
          clients.delete(tx);
        }
      }, options),
  };
};

/** A database with the tables, for histories. */
interface SimulatedDatabase {
  readonly url: string;
  /** Runs a statement. */
  run(text: string): Promise<readonly object[]>;
  /** Counts the statements that wait for a lock, as `n`. */
  readonly waiting: string;
  /** How long no answer may come before waiting statements are counted, in milliseconds. @defaultValue 3 */
  readonly patience?: number;
  /** How many histories. */
  readonly count: number;
}

/** Holds storage over rows to the laws of delivery, by histories. */
export const simulateRows = async ({ url, run, waiting, patience, count }: SimulatedDatabase): Promise<void> => {
  // Transactions stay open for as long as a history wants, and a call that dies keeps its connection for a while.
  const pool = new pg.Pool({ connectionString: url, max: 60 });
  pool.on('error', () => undefined);
  const countWaiting = async () => Number(Reflect.get((await run(waiting))[0] ?? {}, 'n'));
  const { driver, settled } = settledDriver<PgClient>(fromPg(pool), countWaiting, patience);
  let calls = 0;
  try {
    await fc.assert(
      fc.asyncProperty(historyArbitrary, async (history) => {
        await settled();
        for (const text of emptyTables()) await run(text);
        const trace = await simulate(history, {
          settled,
          storage: (clock) =>
            distinct(storageOver(rowsOver(driver, { clock, dialect: silent, now: () => `${clock.now()}::float8` }))),
        });
        calls += trace.calls.length;
        checkLaws(trace);
      }),
      { numRuns: count, seed: 20_241_121, endOnFailure: true },
    );
  } finally {
    await pool.end();
  }
  expect(calls).toBeGreaterThan(100 * count);
};
