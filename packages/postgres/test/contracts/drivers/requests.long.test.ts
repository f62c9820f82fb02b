import type { Storage } from '@partnerkit/core';
import type { RequestStores } from '@partnerkit/core/requests';
import { requestStoresContract } from '@partnerkit/testing';
import { Kysely, PostgresDialect } from 'kysely';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { fromKysely } from '../../../src/drivers/kysely.ts';
import { fromPostgresJs } from '../../../src/drivers/postgres-js.ts';
import { fromPg, postgresRequests, postgresStorage, type SqlDriver } from '../../../src/index.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = useDatabase(inject('postgres'));

const suite = <Tx extends object>(open: () => SqlDriver<Tx>): void =>
  requestStoresContract({
    test,
    create: async (settings) => {
      await database.reset(settings);
      const driver = open();
      return {
        storage: postgresStorage(driver) as Storage<object>,
        stores: postgresRequests(driver) as unknown as RequestStores<object>,
        elapse: database.elapse,
      };
    },
  });

describe('pg without prepared statements', () => {
  suite(() => fromPg(database.pool(), { prepare: false }));
});

describe('postgres.js', () => {
  let sql: postgres.Sql;
  beforeAll(() => {
    sql = postgres(database.url(), { transform: postgres.camel, max: 10 });
  });
  afterAll(() => sql.end());
  suite(() => fromPostgresJs(sql));
});

describe('Kysely', () => {
  let db: Kysely<unknown>;
  beforeAll(() => {
    db = new Kysely({ dialect: new PostgresDialect({ pool: database.pool() }) });
  });
  suite(() => fromKysely(db));
});
