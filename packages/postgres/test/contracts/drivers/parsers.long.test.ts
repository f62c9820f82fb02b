import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { fromKysely } from '../../../src/drivers/kysely.ts';
import { fromPostgresJs } from '../../../src/drivers/postgres-js.ts';
import { fromPg } from '../../../src/index.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { replaced, types, wrap } from '../../support/other-parsers.ts';
import { driverSuites } from './driver-suites.ts';

const database = useDatabase(inject('postgres'));

/** A pool of `pg` whose parsers the host replaced. */
const connect = (): pg.Pool =>
  new pg.Pool({ connectionString: database.url(), max: 20, types })
    .on('error', () => {})
    .on('connect', (client) => client.on('error', () => {}));

describe('pg with other parsers', () => {
  let pool: pg.Pool;
  beforeAll(() => {
    pool = connect();
  });
  afterAll(() => pool.end());
  driverSuites(database, () => fromPg(pool));
});

describe('postgres.js with other parsers', () => {
  let sql: postgres.Sql;
  beforeAll(() => {
    const types = { wrapped: { to: 25, from: [...replaced], serialize: String, parse: wrap } };
    sql = postgres(database.url(), {
      transform: { ...postgres.pascal, undefined: null },
      types,
      max: 10,
    });
  });
  afterAll(() => sql.end());
  driverSuites(database, () => fromPostgresJs(sql));
});

describe('Kysely with other parsers and plugins', () => {
  let db: Kysely<unknown>;
  beforeAll(() => {
    const plugins = [new CamelCasePlugin({ upperCase: true }), new ParseJSONResultsPlugin()];
    db = new Kysely({ dialect: new PostgresDialect({ pool: connect() }), plugins });
  });
  afterAll(() => db.destroy());
  driverSuites(database, () => fromKysely(db), { polls: 'Kysely cannot be told of notifications: workers on it poll' });
});
