import { type ContractOptions, type StorageFixture, storageContracts } from '@partnerkit/conformance/contracts';
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
  storageContracts.events({ test, create });
  storageContracts.storage({ test, create });
  storageContracts.shards({ test, create, deviations });
  storageContracts.deliveries({ test, create });
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
      'a watcher is woken after a commit, with the shards of the events': polls,
      'a watcher is woken when workers join, begin to stop and leave, and when shards are released': polls,
      'many can watch at once, and a stopped watcher is not woken': polls,
    },
  );
});
