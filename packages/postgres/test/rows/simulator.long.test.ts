import { beforeAll, inject, test } from 'vitest';
import { useDatabase } from '../support/fixtures.ts';
import { createTables } from './rows-database.ts';
import { simulateRows } from './simulate-rows.ts';

const database = useDatabase(inject('postgres'));
beforeAll(() => createTables(database.pool()));
const waiting =
  "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

test('histories over rows of PostgreSQL break no law', async () => {
  const run = async (text: string) => (await database.pool().query(text)).rows;
  await simulateRows({ url: database.url(), run, waiting, count: 8 });
});
