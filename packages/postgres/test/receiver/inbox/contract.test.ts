import { inboxContract } from '@partnerkit/conformance/contracts';
import { Kysely, PostgresDialect } from 'kysely';
import postgres from 'postgres';
import { describe, inject, test } from 'vitest';
import { fromKysely } from '../../../src/drivers/kysely.ts';
import { fromPostgresJs } from '../../../src/drivers/postgres-js.ts';
import { postgresInbox } from '../../../src/index.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = useDatabase(inject('postgres'));

describe('postgres.js', () => {
  inboxContract({
    test,
    create: async (settings) => {
      await database.reset(settings);
      const sql = postgres(database.url(), { max: 10, onnotice: () => {} });
      return { inbox: postgresInbox(fromPostgresJs(sql)), elapse: database.elapse, close: () => sql.end() };
    },
  });
});

describe('Kysely', () => {
  inboxContract({
    test,
    create: async (settings) => {
      await database.reset(settings);
      const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: database.pool() }) });
      return { inbox: postgresInbox(fromKysely(db)), elapse: database.elapse };
    },
  });
});
