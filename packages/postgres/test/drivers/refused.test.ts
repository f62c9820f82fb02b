import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { fromKysely } from '../../src/drivers/kysely.ts';
import { fromPostgresJs } from '../../src/drivers/postgres-js.ts';
import { postgresStorage } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const event = payed('acc_host', 'p1');
const noTransaction = { code: 'unavailable', cause: { message: expect.stringContaining('no open transaction') } };

beforeEach(() => database.reset({ storeAhead: 0 }));

const stored = async (): Promise<number> => {
  const { rows } = await database.pool().query('select count(*)::int as count from partnerkit.outbox');
  return rows[0].count;
};

describe('pg', () => {
  const start = () => openKit(postgresStorage(database.pool()), { sender: arrivals() }).events;
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await database.pool().connect();
    onTestFinished(() => client.release());
    return client;
  };

  test('a pool is no transaction: neither to the compiler nor at run time', async () => {
    // @ts-expect-error each of its statements may run on another connection
    await expect(start().publish(event, { tx: database.pool() })).rejects.toMatchObject(noTransaction);
    expect(await stored()).toBe(0);
  });

  test('a client on which nothing was begun is none', async () => {
    await expect(start().publish(event, { tx: await connect() })).rejects.toMatchObject(noTransaction);
    expect(await stored()).toBe(0);
  });

  test('a client whose begin was not awaited is none yet', async () => {
    const client = await connect();
    const begun = client.query('begin');
    await expect(start().publish(event, { tx: client })).rejects.toMatchObject(noTransaction);
    await begun;
    await client.query('commit');
    expect(await stored()).toBe(0);
  });

  test('a client that was ended is none', async () => {
    const client = new pg.Client(database.url());
    await client.connect();
    await client.query('begin');
    await client.end();
    await expect(start().publish(event, { tx: client })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await stored()).toBe(0);
  });

  test('a client of its own, without a pool, is one', async () => {
    const client = new pg.Client(database.url());
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    await start().publish(event, { tx: client });
    await client.query('commit');
    expect(await stored()).toBe(1);
  });
});

describe('postgres.js', () => {
  const connect = (options = {}): postgres.Sql => {
    const sql = postgres(database.url(), options);
    onTestFinished(() => sql.end());
    return sql;
  };

  test('the pool is no transaction: neither to the compiler nor at run time', async () => {
    const sql = connect();
    const { publish } = openKit(postgresStorage(fromPostgresJs(sql)), { sender: arrivals() }).events;
    // @ts-expect-error each of its statements may run on another connection
    await expect(publish(event, { tx: sql })).rejects.toMatchObject(noTransaction);
    expect(await stored()).toBe(0);
  });

  test('a host that has no types fetched publishes many at once', async () => {
    const sql = connect({ fetch_types: false });
    const { publishMany } = openKit(postgresStorage(fromPostgresJs(sql)), { sender: arrivals() }).events;
    const odd = ['p1', 'a"b', 'c\\d', 'e,f', '{g}', 'null', 'é🏡'];
    await sql.begin((tx) =>
      publishMany(
        odd.map((id) => payed('acc_host', id)),
        { tx },
      ),
    );
    const { rows } = await database.pool().query('select object_id from partnerkit.outbox order by place');
    expect(rows.map((row) => row.object_id)).toEqual(odd);
  });
});

describe('Kysely', () => {
  const connect = (): Kysely<unknown> => {
    const pool = new pg.Pool({ connectionString: database.url() }).on('error', () => {});
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
    onTestFinished(() => db.destroy());
    return db;
  };

  test('the database itself is no transaction', async () => {
    const db = connect();
    const { publish } = openKit(postgresStorage(fromKysely(db)), { sender: arrivals() }).events;
    // @ts-expect-error it is in none
    await expect(publish(event, { tx: db })).rejects.toMatchObject(noTransaction);
    expect(await stored()).toBe(0);
  });

  test('a transaction with plugins is one', async () => {
    const db = connect();
    const { publish } = openKit(postgresStorage(fromKysely(db)), { sender: arrivals() }).events;
    await db.transaction().execute((tx) => publish(event, { tx: tx.withoutPlugins() as typeof tx }));
    await db.transaction().execute((tx) => publish(event, { tx }));
    expect(await stored()).toBe(2);
  });
});
