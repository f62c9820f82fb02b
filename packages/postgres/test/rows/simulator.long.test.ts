import { checkLaws, historyArbitrary, simulate } from '@partnerkit/conformance/simulator';
import type { Storage } from '@partnerkit/core/adapter';
import fc from 'fast-check';
import pg from 'pg';
import { beforeAll, expect, inject, test } from 'vitest';
import { fromPg, type PgClient } from '../../src/index.ts';
import { fullDialect } from '../../src/rows/dialect.ts';
import { storageOver } from '../../src/rows/storage.ts';
import { useDatabase } from '../support/fixtures.ts';
import { createTables, emptyTables, rowsOver } from './rows-database.ts';
import { settledDriver } from './settled-driver.ts';

/** A history has wakes of its own. */
const silent = fullDialect('test', { hasListen: false });
const database = useDatabase(inject('postgres'));
beforeAll(() => createTables(database.pool()));

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

test('histories over rows of PostgreSQL break no law', async () => {
  // Transactions stay open for as long as a history wants, and a call that dies keeps its connection for a while.
  const pool = new pg.Pool({ connectionString: database.url(), max: 60 });
  pool.on('error', () => undefined);
  const waiting =
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const { driver, settled } = settledDriver<PgClient>(fromPg(pool), async () =>
    Number((await database.pool().query(waiting)).rows[0]?.n),
  );
  let calls = 0;
  try {
    await fc.assert(
      fc.asyncProperty(historyArbitrary, async (history) => {
        await settled();
        for (const text of emptyTables()) await database.pool().query(text);
        const trace = await simulate(history, {
          settled,
          storage: (clock) =>
            distinct(storageOver(rowsOver(driver, { clock, dialect: silent, now: () => `${clock.now()}::float8` }))),
        });
        calls += trace.calls.length;
        checkLaws(trace);
      }),
      { numRuns: 8, seed: 20_241_121, endOnFailure: true },
    );
  } finally {
    await pool.end();
  }
  expect(calls).toBeGreaterThan(1_000);
});
