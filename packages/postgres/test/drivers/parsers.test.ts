import {
  clientStoreContract,
  deliveryLogContract,
  deliveryQueueContract,
  endpointStoreContract,
  eventStoreContract,
  seenKeysContract,
} from '@partnerkit/testing';
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { fromKysely } from '../../src/drivers/kysely.ts';
import { fromPostgresJs } from '../../src/drivers/postgres-js.ts';
import { fromPg, postgresSeenKeys, postgresStorage, type SqlDriver } from '../../src/index.ts';
import { storageFixtures, useDatabase } from '../support/fixtures.ts';

const { TEXT, VARCHAR, ...others } = pg.types.builtins;
const replaced: readonly number[] = Object.values(others);

/** What a host makes of a value: an object of its own, which only says what it is when it is asked for a text. */
const wrap = (text: string) => ({ toString: () => text });

const database = useDatabase(inject('postgres'));

/** A pool of `pg` whose parsers the host replaced. */
const connect = (): pg.Pool =>
  new pg.Pool({
    connectionString: database.url(),
    max: 20,
    types: { getTypeParser: (type) => (replaced.includes(type) ? wrap : pg.types.getTypeParser(type)) },
  }).on('error', () => {});

const suites = <Tx extends object>(open: () => SqlDriver<Tx>, deviations: Readonly<Record<string, string>> = {}) => {
  const create = storageFixtures(database, () => postgresStorage(open()));
  clientStoreContract({ test, create });
  endpointStoreContract({ test, create });
  eventStoreContract({ test, create });
  deliveryLogContract({ test, create });
  deliveryQueueContract({ test, create, deviations });
  seenKeysContract({
    test,
    create: async (settings) => {
      await database.reset(settings);
      return { seen: postgresSeenKeys(open() as SqlDriver<object>), elapse: database.elapse };
    },
  });
};

describe('pg with other parsers', () => {
  let pool: pg.Pool;
  beforeAll(() => {
    pool = connect();
  });
  afterAll(() => pool.end());
  suites(() => fromPg(pool));
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
  suites(() => fromPostgresJs(sql));
});

describe('Kysely with other parsers and plugins', () => {
  let db: Kysely<unknown>;
  beforeAll(() => {
    const plugins = [new CamelCasePlugin({ upperCase: true }), new ParseJSONResultsPlugin()];
    db = new Kysely({ dialect: new PostgresDialect({ pool: connect() }), plugins });
  });
  afterAll(() => db.destroy());
  const polls = 'Kysely cannot be told of notifications: workers on it poll';
  suites(() => fromKysely(db), {
    'who watches is called after a commit of events, of any account': polls,
    'many watch at once, and who stopped is not called any more': polls,
  });
});
