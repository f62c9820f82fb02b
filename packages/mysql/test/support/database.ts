import { randomUUID } from 'node:crypto';
import type { FixtureSettings, StorageFixture } from '@partnerkit/conformance/contracts';
import { rowTables, type Table } from '@partnerkit/core/adapter';
import { createPool, type Pool } from 'mysql2/promise';
import { afterAll, beforeAll, inject } from 'vitest';
import { fromMysql2 } from '../../src/index.ts';
import { migrateTables } from '../../src/migrations.ts';
import { ddlOf } from '../../src/rows/ddl.ts';
import { prefix } from '../../src/rows/names.ts';
import { mysqlStore, storageOver } from '../../src/storage.ts';
import { turnedTime } from './turned-time.ts';

/** Whether there is a server. Without one, tests are skipped. */
export const hasServer = inject('mysql') !== undefined;

/** Whether the server of a database is MariaDB; else it is MySQL. */
export const isMariadb = async (uri: string): Promise<boolean> => {
  const pool = createPool({ uri, connectionLimit: 1 });
  try {
    const [rows] = await pool.query('select version() as version');
    return /mariadb/i.test((rows as { version: string }[])[0]?.version ?? '');
  } finally {
    await pool.end();
  }
};

/** A database of a test file's own, whose clock it turns. */
export interface TestDatabase {
  readonly url: string;
  readonly pool: Pool;
  /** Empties it, and sets its clock. */
  reset(settings?: FixtureSettings): Promise<void>;
  elapse(time: number): Promise<void>;
  now(): Promise<number>;
  /** Every value of every table, as text. */
  probe(): Promise<string>;
  drop(): Promise<void>;
}

/** Creates a database, with tables. */
export const createDatabase = async (server: string, tables: readonly Table[] = rowTables): Promise<TestDatabase> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = createPool({ uri: server, connectionLimit: 1 });
  await admin.query(`create database ${name}`);
  const address = new URL(server);
  address.pathname = name;
  const pool = createPool({ uri: address.href, connectionLimit: 20, multipleStatements: true });
  await migrateTables(fromMysql2(pool) as never, tables);
  await pool.query('create table test_clock (ahead bigint not null); insert into test_clock values (0)');
  const seeds = tables.flatMap((table) => ddlOf(table).slice(1));
  const empty = [...tables.map((table) => `delete from ${prefix}${table.name}`), ...seeds].join(';\n');
  return {
    url: address.href,
    pool,
    reset: async ({ storeAhead } = { storeAhead: 0 }) => {
      await pool.query(`${empty};\nupdate test_clock set ahead = ${storeAhead * 1000}`);
    },
    elapse: async (time) => {
      await pool.query(`update test_clock set ahead = ahead + ${Math.round(time * 1000)}`);
    },
    now: async () => {
      const [rows] = await pool.query(`select ${turnedTime} as micros`);
      return Number((rows as { micros: number }[])[0]?.micros) / 1000;
    },
    probe: async () => {
      const dumps = await Promise.all(
        tables.map(async (table) => (await pool.query(`select * from ${prefix}${table.name}`))[0]),
      );
      return JSON.stringify(dumps, (_, value) =>
        value?.type === 'Buffer' ? Buffer.from(value.data).toString('utf8') : value,
      );
    },
    drop: async () => {
      await pool.end();
      await admin.query(`drop database ${name}`);
      await admin.end();
    },
  };
};

/** A database for one test file. `url`: of its server, known when tests run. */
export const useDatabase = (
  tables?: readonly Table[],
  url: () => string | undefined = () => inject('mysql'),
): { readonly get: () => TestDatabase } => {
  let database: TestDatabase;
  beforeAll(async () => {
    const server = url();
    if (server !== undefined) database = await createDatabase(server, tables);
  });
  afterAll(() => database?.drop());
  return { get: () => database };
};

/** Fixtures of storage over such a database. */
export const storageFixtures =
  (database: { readonly get: () => TestDatabase }) =>
  async (settings: FixtureSettings): Promise<StorageFixture> => {
    const { pool, reset, elapse, now, probe } = database.get();
    await reset(settings);
    const store = mysqlStore(fromMysql2(pool), { pollMs: 25, now: turnedTime });
    return { storage: storageOver(store) as never, elapse, storeNow: now, probe };
  };
