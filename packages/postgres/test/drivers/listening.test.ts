import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { fromKysely } from '../../src/drivers/kysely.ts';
import { fromPostgresJs } from '../../src/drivers/postgres-js.ts';
import { fromPg, postgresStorage, type SqlDriver } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
beforeEach(() => database.reset({ storeAhead: 0 }));

const openPostgresJs = (): postgres.Sql => {
  const sql = postgres(database.url());
  onTestFinished(() => sql.end());
  return sql;
};

const openKysely = (max = 10): { db: Kysely<unknown>; pool: pg.Pool } => {
  const pool = new pg.Pool({ connectionString: database.url(), max }).on('error', () => {});
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(() => db.destroy());
  return { db, pool };
};

const count = async (): Promise<number> => {
  const { rows } = await database.pool().query(`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and query ilike 'listen %'`);
  return rows[0].count;
};

/** While somebody watches. */
const listeners = async <Tx extends object>(driver: SqlDriver<Tx>): Promise<number> => {
  // A connection that an earlier test has closed takes a moment to end on the server.
  await expect.poll(count, { timeout: 60_000, interval: 20 }).toBe(0);
  const stop = await postgresStorage(driver).shards.watch(() => {});
  const found = await count();
  stop();
  return found;
};

describe('with listen, a worker holds one connection', () => {
  test('postgres.js', async () => {
    expect(await listeners(fromPostgresJs(openPostgresJs()))).toBe(1);
  });
  test('another library, through a pool', async () => {
    const { db, pool } = openKysely();
    expect(await listeners(fromKysely(db, { listen: fromPg(pool) }))).toBe(1);
  });
  test('another library, through postgres.js', async () => {
    expect(await listeners(fromKysely(openKysely().db, { listen: fromPostgresJs(openPostgresJs()) }))).toBe(1);
  });
});

test('storages over one driver listen by one connection of pg, until the last one ends', async () => {
  const pool = new pg.Pool({ connectionString: database.url(), max: 3 }).on('error', () => {});
  onTestFinished(() => pool.end());
  const driver = fromPg(pool);
  const heard: string[] = [];
  const lost: string[] = [];
  const listen = (channel: string, name: string) =>
    driver.listen?.(
      channel,
      (payload) => void heard.push(`${name} ${payload}`),
      () => void lost.push(name),
    ) ?? Promise.reject();
  await expect.poll(count, { timeout: 60_000, interval: 20 }).toBe(0);
  const [first, second, third] = await Promise.all([listen('a', '1'), listen('a', '2'), listen('b', '3')]);
  expect(pool.totalCount).toBe(1);
  const notify = async (...channels: readonly string[]) => {
    heard.length = 0;
    for (const channel of channels) await database.pool().query(`notify ${channel}, 'x'`);
    await database.pool().query("notify b, 'end'");
    await vi.waitUntil(() => heard.includes('3 end'), { timeout: 240_000 });
    return heard.filter((each) => !each.endsWith('end'));
  };
  expect(await notify('a', 'b')).toEqual(['1 x', '2 x', '3 x']);
  await first();
  await first();
  expect(await notify('a', 'b')).toEqual(['2 x', '3 x']);
  await second();
  expect(await notify('a', 'b')).toEqual(['3 x']);
  const again = await listen('a', '4');
  await database.pool().query("select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %'");
  await vi.waitUntil(() => lost.length > 1, { timeout: 240_000 });
  expect(lost.toSorted()).toEqual(['3', '4']);
  await Promise.all([third(), again()]);
  const last = await listen('b', '3');
  expect(await notify('a', 'b')).toEqual(['3 x']);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 0]);
  await last();
  expect(pool.idleCount).toBe(1);
});

describe('without listen, a worker holds none', () => {
  test('pg', async () => {
    expect(await listeners(fromPg(database.pool(), { listen: false }))).toBe(0);
  });
  test('postgres.js', async () => {
    expect(await listeners(fromPostgresJs(openPostgresJs(), { listen: false }))).toBe(0);
  });
  test('another library by itself', async () => {
    expect(await listeners(fromKysely(openKysely().db))).toBe(0);
  });
  test('another library, through a pool that has only one connection', async () => {
    const { db, pool } = openKysely(1);
    expect(await listeners(fromKysely(db, { listen: fromPg(pool) }))).toBe(0);
  });
});

test('a commit wakes a watcher through another library', async () => {
  const { db, pool } = openKysely();
  const storage = postgresStorage(fromKysely(db, { listen: fromPg(pool) }));
  const { publish } = openKit(storage, { sender: arrivals() }).events;
  const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
  const stop = await storage.shards.watch(() => wake());
  await db.transaction().execute((tx) => publish(payed('acc_host', 'p1'), { tx }));
  await woken;
  stop();
});

test('a worker that cannot be marked idle holds no connection, and its pool ends', async () => {
  const pool = new pg.Pool({ connectionString: database.url() }).on('error', () => {});
  const { shards } = postgresStorage(pool);
  await database.pool().query('alter table partnerkit.idle_workers rename to idle_workers_away');
  try {
    await expect(shards.watch(() => {})).rejects.toThrow('a table is not there');
    await vi.waitUntil(() => pool.idleCount === pool.totalCount, { timeout: 240_000 });
    await pool.end();
  } finally {
    await database.pool().query('alter table partnerkit.idle_workers_away rename to idle_workers');
  }
});
