import { minute } from '@partnerkit/core';
import { expect, inject, test } from 'vitest';
import { postgresSeenKeys } from '../../../src/index.ts';
import { names } from '../../support/arrivals.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { openPool } from '../../support/host-transactions.ts';
import { analyze, forgetAll, rowsReadBy } from '../../support/rows-read.ts';

const database = useDatabase(inject('postgres'));
const tables = ['seen_keys'];

test('with statistics and plans of an empty table, 64 keys among 20,000 are claimed, confirmed and claimed again with little to read', async () => {
  await database.reset({ storeAhead: 0 });
  await database.pool().query(forgetAll(tables) + analyze(tables));
  const pool = openPool({ connectionString: database.url(), max: 1 });
  const seen = postgresSeenKeys(pool);
  const process = async (key: string): Promise<void> => {
    const claim = await seen.claim(key, minute);
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    expect(await seen.confirm(key, claim.lease, minute)).toBe(true);
  };
  await process('first');
  await database.pool().query(`
    insert into partnerkit.seen_keys (key, expires_at) select 'old-' || nth, now() + interval '1 day' from generate_series(1, 20000) nth`);
  const read = await rowsReadBy(pool, tables, () => Promise.all(names(64, 'new-').map(process)));
  expect(read).toBeGreaterThanOrEqual(64);
  expect(read).toBeLessThan(64 * 64);
  const duplicates = () => Promise.all(names(64, 'new-').map((key) => seen.claim(key, minute)));
  expect(await rowsReadBy(pool, tables, duplicates)).toBeLessThan(64 * 64);
});
