import { drizzle as overPg } from 'drizzle-orm/node-postgres';
import { drizzle as overPostgresJs } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { fromDrizzle } from '../../../src/drivers/drizzle.ts';
import { fromPostgresJs } from '../../../src/drivers/postgres-js.ts';
import { fromPg } from '../../../src/index.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { replaced, wrap } from '../../support/other-parsers.ts';
import { driverSuites } from './driver-suites.ts';

const database = useDatabase(inject('postgres'));

describe('Drizzle over pg', () => {
  driverSuites(database, () => fromDrizzle(overPg(database.pool()), { listen: fromPg(database.pool()) }));
});

describe('Drizzle over postgres.js with other parsers, names and no prepared statements', () => {
  let sql: postgres.Sql;
  beforeAll(() => {
    const types = { wrapped: { to: 25, from: [...replaced], serialize: String, parse: wrap } };
    sql = postgres(database.url(), { transform: { ...postgres.pascal, undefined: null }, types, max: 10 });
  });
  afterAll(() => sql.end());
  driverSuites(database, () => fromDrizzle(overPostgresJs(sql), { prepare: false, listen: fromPostgresJs(sql) }));
});
