import { storageContracts } from '@partnerkit/conformance/contracts';
import type { Storage } from '@partnerkit/core/adapter';
import { PrismaPg } from '@prisma/adapter-pg';
import { drizzle } from 'drizzle-orm/node-postgres';
import openKnex, { type Knex } from 'knex';
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { fromDrizzle } from '../../../src/drivers/drizzle.ts';
import { fromKnex } from '../../../src/drivers/knex.ts';
import { fromKysely } from '../../../src/drivers/kysely.ts';
import { fromPostgresJs } from '../../../src/drivers/postgres-js.ts';
import { fromPrisma } from '../../../src/drivers/prisma.ts';
import { fromTypeOrm } from '../../../src/drivers/typeorm.ts';
import { fromPg, postgresStorage, type SqlDriver } from '../../../src/index.ts';
import { type OwnClient, openPrisma } from '../../drivers/hosts/prisma.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { replaced, types, wrap } from '../../support/other-parsers.ts';

const database = useDatabase(inject('postgres'));

const suite = <Tx extends object>(open: () => SqlDriver<Tx>): void =>
  storageContracts.requests({
    test,
    create: async (settings) => {
      await database.reset(settings);
      return { storage: postgresStorage(open()) as Storage<object>, elapse: database.elapse };
    },
  });

/** A pool of `pg` whose parsers the host replaced. */
const withOtherParsers = (): pg.Pool =>
  new pg.Pool({ connectionString: database.url(), max: 20, types }).on('error', () => {});

describe('pg without prepared statements', () => {
  suite(() => fromPg(database.pool(), { prepare: false }));
});

describe('pg with other parsers', () => {
  let pool: pg.Pool;
  beforeAll(() => {
    pool = withOtherParsers();
  });
  afterAll(() => pool.end());
  suite(() => fromPg(pool));
});

describe('postgres.js', () => {
  let sql: postgres.Sql;
  beforeAll(() => {
    sql = postgres(database.url(), { transform: postgres.camel, max: 10 });
  });
  afterAll(() => sql.end());
  suite(() => fromPostgresJs(sql));
});

describe('postgres.js with other parsers and names', () => {
  let sql: postgres.Sql;
  beforeAll(() => {
    const wrapped = { wrapped: { to: 25, from: [...replaced], serialize: String, parse: wrap } };
    sql = postgres(database.url(), { transform: { ...postgres.pascal, undefined: null }, types: wrapped, max: 10 });
  });
  afterAll(() => sql.end());
  suite(() => fromPostgresJs(sql));
});

describe('Drizzle', () => {
  suite(() => fromDrizzle(drizzle(database.pool())));
});

describe('Knex with other parsers and names', () => {
  let knex: Knex;
  beforeAll(() => {
    const upperCased = (row: object) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k.toUpperCase(), v]));
    knex = openKnex({
      client: 'pg',
      connection: { connectionString: database.url(), types },
      wrapIdentifier: (name, original) => original(name.toLowerCase()),
      postProcessResponse: (result) => ({ ...result, rows: result.rows.map(upperCased) }),
    });
  });
  afterAll(() => knex.destroy());
  suite(() => fromKnex(knex));
});

describe('Kysely with other parsers and plugins', () => {
  let db: Kysely<unknown>;
  beforeAll(() => {
    const plugins = [new CamelCasePlugin({ upperCase: true }), new ParseJSONResultsPlugin()];
    db = new Kysely({ dialect: new PostgresDialect({ pool: withOtherParsers() }), plugins });
  });
  afterAll(() => db.destroy());
  suite(() => fromKysely(db));
});

describe('Prisma', () => {
  let prisma: OwnClient;
  beforeAll(async () => {
    prisma = await openPrisma({ adapter: new PrismaPg(database.pool()) });
  });
  afterAll(() => prisma.$disconnect());
  suite(() => fromPrisma(prisma));
});

describe('TypeORM with other parsers', () => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await new DataSource({ type: 'postgres', url: database.url(), extra: { types } }).initialize();
  });
  afterAll(() => dataSource.destroy());
  suite(() => fromTypeOrm(dataSource));
});
