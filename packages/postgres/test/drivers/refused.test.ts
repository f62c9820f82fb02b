import { PrismaPg } from '@prisma/adapter-pg';
import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgresJs } from 'drizzle-orm/postgres-js';
import openKnex, { type Knex } from 'knex';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { DataSource } from 'typeorm';
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { fromDrizzle } from '../../src/drivers/drizzle.ts';
import { fromKnex } from '../../src/drivers/knex.ts';
import { fromKysely } from '../../src/drivers/kysely.ts';
import { fromPostgresJs } from '../../src/drivers/postgres-js.ts';
import { fromPrisma } from '../../src/drivers/prisma.ts';
import { fromTypeOrm } from '../../src/drivers/typeorm.ts';
import { postgresStorage } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openKit, payed } from '../support/kit.ts';
import { openPrisma } from './hosts/prisma.ts';

const database = useDatabase(inject('postgres'));
const event = payed('acc_host', 'p1');
const noTransaction = {
  code: 'no_transaction',
  failure: { message: expect.stringContaining('no open transaction') },
};
const poolRefused = {
  code: 'no_transaction',
  message:
    "no_transaction: tx: a pool is no open transaction, since each statement may run on another connection: hand over the client of pool.connect() on which you awaited begin; or 'new' when there is none.",
};

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
    await expect(start().publish(event, { tx: database.pool() })).rejects.toMatchObject(poolRefused);
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
    const { rows } = await database.pool().query(`select object_id from partnerkit.outbox o join partnerkit.events e
      on e.account_id = o.account_id and e.id = o.event_id order by position`);
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

describe('Drizzle', () => {
  test('the database over pg is no transaction, nor is the pool', async () => {
    const db = drizzleOverPg(database.pool());
    const { publish } = openKit(postgresStorage(fromDrizzle(db)), { sender: arrivals() }).events;
    // @ts-expect-error each of its statements may run on another connection
    await expect(publish(event, { tx: db })).rejects.toMatchObject(noTransaction);
    // @ts-expect-error it is none of Drizzle's
    await expect(publish(event, { tx: database.pool() })).rejects.toMatchObject(noTransaction);
    expect(await stored()).toBe(0);
  });

  test('the database over postgres.js is none, nor is a transaction of postgres.js', async () => {
    const sql = postgres(database.url());
    onTestFinished(() => sql.end());
    const db = drizzleOverPostgresJs(sql);
    const { publish } = openKit(postgresStorage(fromDrizzle(db)), { sender: arrivals() }).events;
    // @ts-expect-error each of its statements may run on another connection
    await expect(publish(event, { tx: db })).rejects.toMatchObject(noTransaction);
    await sql.begin(async (tx) => {
      // @ts-expect-error it is none of Drizzle's
      await expect(publish(event, { tx })).rejects.toMatchObject(noTransaction);
    });
    expect(await stored()).toBe(0);
  });
});

describe('Knex', () => {
  const connect = (): Knex => {
    const knex = openKnex({ client: 'pg', connection: database.url() });
    onTestFinished(() => knex.destroy());
    return knex;
  };

  test('the database itself is no transaction', async () => {
    const knex = connect();
    const { publish } = openKit(postgresStorage(fromKnex(knex)), { sender: arrivals() }).events;
    // @ts-expect-error each of its statements may run on another connection
    await expect(publish(event, { tx: knex })).rejects.toMatchObject(noTransaction);
    expect(await stored()).toBe(0);
  });

  test('a transaction that the host commits itself is one until it does', async () => {
    const knex = connect();
    const { publish } = openKit(postgresStorage(fromKnex(knex)), { sender: arrivals() }).events;
    const tx = await knex.transaction();
    await publish(event, { tx });
    expect(await stored()).toBe(0);
    await tx.commit();
    await expect(publish(event, { tx })).rejects.toMatchObject(noTransaction);
    expect(await stored()).toBe(1);
  });
});

describe('Prisma', () => {
  test('the client itself is no transaction', async () => {
    const prisma = await openPrisma({ adapter: new PrismaPg(database.pool()) });
    onTestFinished(() => prisma.$disconnect());
    const { publish } = openKit(postgresStorage(fromPrisma(prisma)), { sender: arrivals() }).events;
    await expect(publish(event, { tx: prisma })).rejects.toMatchObject(noTransaction);
    expect(await stored()).toBe(0);
  });

  test('a transaction of storage has a longer timeout than the 30 seconds it may wait for a lock', async () => {
    const granted: unknown[] = [];
    const unused = async (): Promise<never> => expect.unreachable();
    const driver = fromPrisma({
      $queryRawUnsafe: unused,
      $executeRawUnsafe: unused,
      $transaction: async <T>(
        work: (tx: { $queryRawUnsafe: () => Promise<unknown>; $executeRawUnsafe: typeof unused }) => Promise<T>,
        options: object,
      ) => {
        granted.push(options);
        return work({ $queryRawUnsafe: async () => [], $executeRawUnsafe: unused });
      },
    });
    await driver.transaction(async () => {});
    expect(granted).toEqual([{ isolationLevel: 'ReadCommitted', maxWait: 30_000, timeout: 600_000 }]);
  });

  test("a transaction that exceeded Prisma's timeout accepts nothing more", async () => {
    const prisma = await openPrisma({ adapter: new PrismaPg(database.pool()) });
    onTestFinished(() => prisma.$disconnect());
    const { publish } = openKit(postgresStorage(fromPrisma(prisma)), { sender: arrivals() }).events;
    const slow = prisma.$transaction(
      async (tx) => {
        for (;;) await publish(event, { tx });
      },
      { timeout: 100 },
    );
    await expect(slow).rejects.toMatchObject({ code: 'unavailable', cause: { code: 'P2028' } });
    expect(await stored()).toBe(0);
  });
});

describe('TypeORM', () => {
  const connect = async (): Promise<DataSource> => {
    const dataSource = await new DataSource({ type: 'postgres', url: database.url() }).initialize();
    onTestFinished(() => dataSource.destroy());
    return dataSource;
  };

  test('a data source is no transaction, nor is its manager', async () => {
    const dataSource = await connect();
    const { publish } = openKit(postgresStorage(fromTypeOrm(dataSource)), { sender: arrivals() }).events;
    // @ts-expect-error each of its statements may run on another connection
    await expect(publish(event, { tx: dataSource })).rejects.toMatchObject(noTransaction);
    await expect(publish(event, { tx: dataSource.manager })).rejects.toMatchObject(noTransaction);
    expect(await stored()).toBe(0);
  });

  test('the manager of a query runner is one from the start of its transaction until its end', async () => {
    const dataSource = await connect();
    const { publish } = openKit(postgresStorage(fromTypeOrm(dataSource)), { sender: arrivals() }).events;
    const runner = dataSource.createQueryRunner();
    onTestFinished(() => runner.release());
    const tx = runner.manager;
    await expect(publish(event, { tx })).rejects.toMatchObject(noTransaction);
    for (const end of ['commitTransaction', 'rollbackTransaction'] as const) {
      await runner.startTransaction();
      await publish(event, { tx });
      await runner[end]();
      await expect(publish(event, { tx })).rejects.toMatchObject(noTransaction);
    }
    expect(await stored()).toBe(1);
  });
});
