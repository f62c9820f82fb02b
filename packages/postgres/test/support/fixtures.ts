import type { FixtureSettings, StorageFixture } from '@partnerkit/conformance/contracts';
import type { Storage } from '@partnerkit/core/adapter';
import { createDatabase } from '@partnerkit/workshop/services';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { fakeSearchPath } from './fake-time.ts';
import type { Server } from './global-setup.ts';

const tables = [
  'attempts',
  'client_secrets',
  'alert_addresses',
  'audit_chains',
  'audit_entries',
  'client_usage',
  'clients',
  'dispatches',
  'endpoint_history',
  'endpoints',
  'events',
  'failed_hours',
  'feed_entries',
  'feeds',
  'handler_deliveries',
  'handlers',
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
  'sending_pauses',
  'workers',
];

/** Deleted rows remain until a vacuum, and each read of 128 shards would pass all of them. */
const truncateOutbox = `
  do $$ begin
    if pg_relation_size('partnerkit.outbox') > 65536 then truncate partnerkit.outbox; end if;
  end $$;`;

/** Those that always have a row for each shard: only what a test changed is written. */
const resetShards = `
  update partnerkit.shards set owner = null, is_recovered = false, watermark = to_timestamp(0), pruned_timestamp = null
    where owner is not null or watermark <> to_timestamp(0) or pruned_timestamp is not null;
  update partnerkit.endpoint_versions set version = 0 where version <> 0;
  update partnerkit.endpoint_changes set version = 0, include_children = 0 where version <> 0 or include_children <> 0;
  update partnerkit.secret_ids set ids = '[]' where ids <> '[]';`;

/** A database whose clock is turned. */
export interface TurnedDatabase {
  /** Empties it, and sets its clock. */
  reset(settings: FixtureSettings): Promise<void>;
  elapse(time: number): Promise<void>;
  now(): Promise<number>;
  probe(): Promise<string>;
}

/** A database of a test file's own. */
export interface TestDatabase extends TurnedDatabase {
  /** Its address; statements see the clock that is turned. */
  url(): string;
  pool(): pg.Pool;
}

/** A database by its statements: each is a text, perhaps of several, without values. */
export const turnedDatabase = (run: (text: string) => Promise<readonly object[]>): TurnedDatabase => {
  const read = async (text: string, column: string): Promise<unknown> => {
    const [row] = await run(text);
    return row && Reflect.get(row, column);
  };
  return {
    reset: async ({ storeAhead }) => {
      await run(`
        ${tables.map((table) => `delete from partnerkit.${table};`).join('\n')}
        ${truncateOutbox}
        ${resetShards}
        update fake.clock set ahead = ${storeAhead} * interval '1 millisecond';`);
    },
    elapse: async (time) => {
      await run(`update fake.clock set ahead = ahead + ${time}::float8 * interval '1 millisecond'`);
    },
    now: async () => Number(await read('select extract(epoch from now())::float8 * 1000 as now', 'now')),
    probe: async () => {
      const dumps = tables.map((table) =>
        read(`select coalesce(string_agg(t::text, chr(10)), '') as dump from partnerkit.${table} t`, 'dump'),
      );
      return (await Promise.all(dumps)).join('\n');
    },
  };
};

/** Settings that hosts give their sessions, and that change no statement of storage. */
const otherSettings = [
  'standard_conforming_strings=off',
  'backslash_quote=off',
  'DateStyle=SQL,DMY',
  'IntervalStyle=sql_standard',
  'bytea_output=escape',
  'TimeZone=Pacific/Apia',
];

export const useDatabase = (server: Server): TestDatabase => {
  let pool: pg.Pool;
  let url: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await createDatabase(server, server.template);
    drop = database.drop;
    const address = new URL(database.url);
    const settings = [`search_path=${fakeSearchPath}`, ...otherSettings];
    address.searchParams.set('options', settings.map((each) => `-c ${each}`).join(' '));
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
    ...turnedDatabase(async (text) => (await pool.query(text)).rows ?? []),
  };
};

/** Fixtures of storage over such a database. */
export const storageFixtures =
  <Tx extends object>(database: TurnedDatabase, open: () => Storage<Tx>) =>
  async (settings: FixtureSettings): Promise<StorageFixture> => {
    await database.reset(settings);
    return {
      storage: open() as Storage<object>,
      elapse: database.elapse,
      storeNow: database.now,
      probe: database.probe,
    };
  };
