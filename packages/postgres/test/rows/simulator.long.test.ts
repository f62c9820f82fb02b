import { checkLaws, historyArbitrary, simulate } from '@partnerkit/conformance/simulator';
import { rowStorage, rowTables, type Storage } from '@partnerkit/core/adapter';
import fc from 'fast-check';
import pg from 'pg';
import { beforeAll, expect, inject, test } from 'vitest';
import { fromPg, type PgClient } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { createTables, emptyTables, postgresRows } from './postgres-rows.ts';
import { settledDriver } from './settled-driver.ts';

const database = useDatabase(inject('postgres'));
beforeAll(() => database.pool().query(createTables(rowTables)));

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
        await database.pool().query(emptyTables(rowTables));
        const trace = await simulate(history, {
          settled,
          storage: (clock) => distinct(rowStorage(postgresRows(driver, clock.now))),
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
