import type { Storage } from '@partnerkit/core/ports';
import type { FixtureSettings, StorageFixture } from '@partnerkit/testing/contracts';
import { createDatabase } from '@partnerkit/testing/services';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { Server } from './global-setup.ts';

const tables = [
  'attempts',
  'client_secrets',
  'clients',
  'endpoint_history',
  'endpoints',
  'events',
  'health',
  'idempotency_keys',
  'idempotent_responses',
  'idle_workers',
  'inbox',
  'last_settlements',
  'outbox',
  'parent_propagation',
  'pending',
  'request_due',
  'request_history',
  'request_references',
  'request_transactions',
  'requests',
  'revoked_tokens',
  'seen_keys',
  'workers',
];

/** Those that always have a row for each shard. */
const resetShards = `
  update partnerkit.shards set owner = null, watermark = to_timestamp(0), pruned_timestamp = null;
  update partnerkit.endpoint_versions set version = 0;
  update partnerkit.endpoint_changes set version = 0, include_children = 0;`;

/** A database of a test file's own, whose clock it turns. */
export interface TestDatabase {
  /** Its address; statements see the clock that is turned. */
  url(): string;
  pool(): pg.Pool;
  /** Empties it, and sets its clock. */
  reset(settings: FixtureSettings): Promise<void>;
  elapse(time: number): Promise<void>;
  now(): Promise<number>;
  probe(): Promise<string>;
}

export const useDatabase = (server: Server): TestDatabase => {
  let pool: pg.Pool;
  let url: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await createDatabase(server, server.template);
    drop = database.drop;
    const address = new URL(database.url);
    address.searchParams.set('options', '-c search_path=fake,pg_catalog');
    url = address.href;
    pool = new pg.Pool({ connectionString: url, max: 20 });
    // Connections that are still closing when the database is dropped.
    pool.on('error', () => {});
    // Kysely listens for no errors of the connections that it has taken.
    pool.on('connect', (client) => client.on('error', () => {}));
  });
  afterAll(async () => {
    await pool.end();
    await drop();
  });
  return {
    url: () => url,
    pool: () => pool,
    reset: async ({ storeAhead }) => {
      await pool.query(`
        ${tables.map((table) => `delete from partnerkit.${table};`).join('\n')}
        ${resetShards}
        update fake.clock set ahead = ${storeAhead} * interval '1 millisecond';`);
    },
    elapse: async (time) => {
      await pool.query("update fake.clock set ahead = ahead + $1::float8 * interval '1 millisecond'", [time]);
    },
    now: async () => {
      const { rows } = await pool.query('select extract(epoch from now())::float8 * 1000 as now');
      return rows[0].now;
    },
    probe: async () => {
      const dumps = await Promise.all(
        tables.map((table) =>
          pool.query(`select coalesce(string_agg(t::text, chr(10)), '') as dump from partnerkit.${table} t`),
        ),
      );
      return dumps.map(({ rows }) => rows[0].dump).join('\n');
    },
  };
};

/** Fixtures of storage over such a database. */
export const storageFixtures =
  <Tx extends object>(database: TestDatabase, open: () => Storage<Tx>) =>
  async (settings: FixtureSettings): Promise<StorageFixture> => {
    await database.reset(settings);
    return {
      storage: open() as Storage<object>,
      elapse: database.elapse,
      storeNow: database.now,
      probe: database.probe,
    };
  };
