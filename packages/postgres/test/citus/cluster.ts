import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { fromPg } from '../../src/index.ts';
import type { RowsTarget } from '../rows/row-suites.ts';
import { createTables, rowsOver, schema } from '../rows/rows-database.ts';

/** The address of a coordinator; absent: there is no cluster to test. */
export const clusterUrl = process.env['CITUS_URL'];

/** Creates the schema of tests as a distributed one. */
const createDistributed = `begin; set local citus.enable_schema_based_sharding = on; create schema "${schema}"; commit`;

/** Rows in a distributed schema of a cluster. The tests turn a clock of their own: each node has another. */
export const useCluster = (): RowsTarget & { pool(): pg.Pool; recreate(): Promise<void> } => {
  let pool: pg.Pool;
  let ahead = 0;
  const now = (): string => `(extract(epoch from clock_timestamp()) * 1000)::float8 + ${ahead}`;
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: clusterUrl, max: 40 });
    pool.on('error', () => undefined);
    // Connections that are lost in a transaction.
    pool.on('connect', (client) => client.on('error', () => undefined));
  });
  afterAll(() => pool.end());
  return {
    pool: () => pool,
    recreate: () => createTables(pool, { create: createDistributed }),
    open: (tables) => rowsOver(fromPg(pool), { now, ...(tables && { tables }) }),
    create: (tables) => createTables(pool, { tables, create: createDistributed }),
    run: async (text) => (await pool.query(text)).rows,
    setClock: async (by) => {
      ahead = by;
    },
    elapse: async (time) => {
      ahead += time;
    },
    now: async () => Number((await pool.query(`select ${now()} as now`)).rows[0].now),
  };
};
