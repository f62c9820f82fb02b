import { fromMysql2, migrate as migrateMysql } from '@partnerkit/mysql';
import { migrate, postgresStorage } from '@partnerkit/postgres';
import { createPool, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { mysqlStore, storageOver } from '../../packages/mysql/src/storage.ts';
import { turnedTime } from '../../packages/mysql/test/support/turned-time.ts';
import { fakeSearchPath, fakeTime } from '../../packages/postgres/test/support/fake-time.ts';

/** The storages of a soak: on each runs a platform of its own. */
export const storageKinds = ['postgres', 'mariadb'] as const;
export type StorageKind = (typeof storageKinds)[number];

/** A payment of the host. */
export interface Payment {
  readonly objectId: string;
  readonly nth: number;
}

type Row = Readonly<Record<string, unknown>>;

/** The database of a host: its payments, and the tables of the kit. */
export interface HostStore {
  readonly storage: object;
  /** In one transaction of the host: stores a payment, and does the rest. It ends as the rest does. */
  pay(payment: Payment, rest: (tx: object) => Promise<unknown>): Promise<void>;
  payments(): Promise<readonly Payment[]>;
  /** Moves the clock of the store. */
  elapse(time: number): Promise<void>;
  /** Every table with its rows, as text. */
  dump(): AsyncIterable<{ readonly table: string; readonly rows: string }>;
  /** Bytes of all tables of the kit. */
  bytes(): Promise<number>;
  connections(): Promise<number>;
  close(): Promise<void>;
}

const openPostgres = (database: string): HostStore => {
  const pool = new pg.Pool({
    ...{ connectionString: database, max: 8, options: `-c search_path=${fakeSearchPath}` },
    ...{ connectionTimeoutMillis: 5_000, query_timeout: 20_000 },
  });
  // The server restarts.
  pool.on('error', () => undefined);
  const read = async (text: string): Promise<readonly Row[]> => (await pool.query(text)).rows;
  const number = async (text: string): Promise<number> => Number((await read(text))[0]?.['n']);
  return {
    storage: postgresStorage(pool),
    pay: async ({ objectId, nth }, rest) => {
      const client = await pool.connect();
      let lost: Error | undefined;
      const lose = (cause: Error): void => {
        lost = cause;
      };
      client.on('error', lose);
      try {
        await client.query('begin');
        await client.query('insert into public.payments values ($1, $2)', [objectId, nth]);
        await rest(client);
        await client.query('commit');
      } catch (cause) {
        await client.query('rollback').catch(lose);
        throw cause;
      } finally {
        client.off('error', lose);
        client.release(lost);
      }
    },
    payments: async () =>
      (await read('select object_id, nth from public.payments')).map(({ object_id, nth }) => ({
        ...{ objectId: String(object_id), nth: Number(nth) },
      })),
    elapse: async (time) => {
      await pool.query(`update fake.clock set ahead = ahead + interval '${time} milliseconds'`);
    },
    dump: async function* dump() {
      const tables = await read(`select table_schema || '.' || table_name as name from information_schema.tables
        where table_schema in ('partnerkit', 'public')`);
      for (const { name } of tables) {
        const rows = await read(`select t::text as row from ${name} t`);
        yield { table: String(name), rows: rows.map(({ row }) => row).join('\n') };
      }
    },
    bytes: () =>
      number(`select sum(pg_total_relation_size(c.oid))::float8 as n from pg_class c
        where c.relnamespace = 'partnerkit'::regnamespace and c.relkind = 'r'`),
    connections: () => number("select count(*)::int as n from pg_stat_activity where backend_type = 'client backend'"),
    close: () => pool.end(),
  };
};

const openMariadb = (database: string): HostStore => {
  const pool = createPool({ uri: database, connectionLimit: 8 });
  const read = async (text: string): Promise<readonly RowDataPacket[]> => (await pool.query<RowDataPacket[]>(text))[0];
  return {
    storage: storageOver(mysqlStore(fromMysql2(pool), { pollMs: 50, now: turnedTime })),
    pay: async ({ objectId, nth }, rest) => {
      const connection = await pool.getConnection();
      try {
        await connection.beginTransaction();
        await connection.query<ResultSetHeader>('insert into payments values (?, ?)', [objectId, nth]);
        await rest(connection);
        await connection.commit();
        connection.release();
      } catch (cause) {
        // Whatever it was, the server rolls back what a closed connection leaves.
        connection.destroy();
        throw cause;
      }
    },
    payments: async () =>
      (await read('select object_id, nth from payments')).map(({ object_id, nth }) => ({
        ...{ objectId: String(object_id), nth: Number(nth) },
      })),
    elapse: async (time) => {
      await pool.query(`update test_clock set ahead = ahead + ${time * 1_000}`);
    },
    dump: async function* dump() {
      for (const table of await read('show tables')) {
        const name = String(Object.values(table)[0]);
        const rows = await read(`select * from ${name}`);
        const texts = rows.map((row) => Object.values(row).map(String).join('\t'));
        yield { table: name, rows: texts.join('\n') };
      }
    },
    bytes: async () =>
      Number(
        (
          await read(`select sum(data_length + index_length) as n from information_schema.tables
        where table_schema = database() and table_name like 'partnerkit%'`)
        )[0]?.['n'],
      ),
    connections: async () => Number((await read("show status like 'Threads_connected'"))[0]?.['Value']),
    close: () => pool.end(),
  };
};

export const openStore = (storage: StorageKind, database: string): HostStore =>
  storage === 'postgres' ? openPostgres(database) : openMariadb(database);

/** Makes the tables of a new database, and the clock that is turned. */
export const createTables = async (storage: StorageKind, database: string): Promise<void> => {
  const payments = 'create table payments (object_id varchar(200) not null, nth integer not null';
  if (storage === 'postgres') {
    const pool = new pg.Pool({ connectionString: database, max: 1 });
    await migrate(pool);
    await pool.query(fakeTime);
    await pool.query(`${payments}, primary key (object_id, nth))`);
    return pool.end();
  }
  const pool = createPool({ uri: database, connectionLimit: 1 });
  await migrateMysql(pool);
  await pool.query('create table test_clock (ahead bigint not null)');
  await pool.query('insert into test_clock values (0)');
  await pool.query(`${payments}, primary key (object_id, nth))`);
  return pool.end();
};
