import {
  type ContractOptions,
  deliveryStoreContract,
  eventStoreContract,
  type StorageFixture,
  shardStoreContract,
  storageContract,
} from '@partnerkit/testing';
import { Kysely, PostgresDialect } from 'kysely';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { fromKysely } from '../../../src/drivers/kysely.ts';
import { fromPostgresJs } from '../../../src/drivers/postgres-js.ts';
import { fromPg, postgresStorage } from '../../../src/index.ts';
import { storageFixtures, useDatabase } from '../../support/fixtures.ts';

const database = useDatabase(inject('postgres'));

const suites = (
  create: ContractOptions<StorageFixture>['create'],
  deviations: Readonly<Record<string, string>> = {},
): void => {
  eventStoreContract({ test, create });
  storageContract({ test, create });
  shardStoreContract({ test, create, deviations });
  deliveryStoreContract({ test, create });
};

describe('pg without prepared statements', () => {
  suites(storageFixtures(database, () => postgresStorage(fromPg(database.pool(), { prepare: false }))));
});

describe('postgres.js', () => {
  let sql: postgres.Sql;
  beforeAll(() => {
    sql = postgres(database.url(), { transform: postgres.camel, max: 10 });
  });
  afterAll(() => sql.end());
  suites(storageFixtures(database, () => postgresStorage(fromPostgresJs(sql))));
});

describe('Kysely', () => {
  let db: Kysely<unknown>;
  beforeAll(() => {
    db = new Kysely({ dialect: new PostgresDialect({ pool: database.pool() }) });
  });
  const polls = 'Kysely cannot be told of notifications: workers on it poll';
  suites(
    storageFixtures(database, () => postgresStorage(fromKysely(db))),
    {
      'who watches is woken after events are committed, and told their shards': polls,
      'who watches is woken when workers join, begin to stop and leave, and when shards are released': polls,
      'many watch at once, and who stopped is not woken any more': polls,
    },
  );
});
