import { drizzle as overPg } from 'drizzle-orm/node-postgres';
import { drizzle as overPostgresJs } from 'drizzle-orm/postgres-js';
import openKnex from 'knex';
import postgres from 'postgres';
import { expect, inject, onTestFinished, test } from 'vitest';
import { fromDrizzle } from '../../src/drivers/drizzle.ts';
import { fromKnex } from '../../src/drivers/knex.ts';
import { fromPostgresJs } from '../../src/drivers/postgres-js.ts';
import { fromPg, type SqlDriver } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from './hosts/host.ts';

const database = useDatabase(inject('postgres'));

interface Options {
  readonly prepare?: boolean;
}
type Open = (options: Options) => SqlDriver<object>;

const pool = () => {
  const opened = openPool(database.url());
  onTestFinished(() => opened.end());
  return opened;
};
const sql = () => {
  const opened = postgres(database.url());
  onTestFinished(() => opened.end());
  return opened;
};
const knex = () => {
  const opened = openKnex({ client: 'pg', connection: database.url() });
  onTestFinished(() => opened.destroy());
  return opened;
};

/** How often the server was told to keep a statement that is run twice. */
const prepared = ({ transaction, queryIn }: SqlDriver<object>): Promise<number> =>
  transaction(async (tx) => {
    for (const value of ['a', 'b'])
      expect([...(await queryIn(tx, 'select $1::text as known', [value]))]).toEqual([{ known: value }]);
    const own =
      "select count(*)::int as count from pg_prepared_statements where statement = 'select $1::text as known'";
    const [row] = await queryIn(tx, own, []);
    return Number(row?.['count']);
  });

test.each<[string, Open]>([
  ['pg', (options) => fromPg(pool(), options) as SqlDriver<object>],
  ['postgres.js', (options) => fromPostgresJs(sql(), options) as SqlDriver<object>],
  ['Drizzle over pg', (options) => fromDrizzle(overPg(pool()), options) as SqlDriver<object>],
  ['Drizzle over postgres.js', (options) => fromDrizzle(overPostgresJs(sql()), options) as SqlDriver<object>],
  ['Knex', (options) => fromKnex(knex(), options) as SqlDriver<object>],
])('%s prepares a statement once a connection, unless it is told not to', async (_, open) => {
  expect(await prepared(open({}))).toBe(1);
  expect(await prepared(open({ prepare: true }))).toBe(1);
  expect(await prepared(open({ prepare: false }))).toBe(0);
});
