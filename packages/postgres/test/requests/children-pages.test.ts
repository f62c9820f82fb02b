import { expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { analyze, rowsReadBy } from '../support/rows-read.ts';

const database = useDatabase(inject('postgres'));
const environment = 'prod';
const [count, each, limit] = [50, 200, 10];
const tables = ['requests', 'request_transactions'];
const accounts = Array.from({ length: count }, (_, nth) => ({ id: `acc_${nth}`, environment }));
const [own = { id: '', environment }, ...children] = accounts;

/** As many payment requests and charges of each account, one a second in turn. */
const fill = `
  insert into partnerkit.requests (kind, id, account_id, environment, version, status, reference, recipient_email,
    parent_id, created_at, updated_at, record)
  select 'payment', 'pay_' || lpad(n::text, 9, '0'), 'acc_' || n % ${count}, '${environment}', 1, 'pending', null, null,
    null, n * 1000::float8, n * 1000::float8, json_build_object('id', n)::text
  from generate_series(1, ${count * each}) n;
  insert into partnerkit.request_transactions (account_id, environment, kind, reference, number, id, object, object_id,
    settled_at, status, currency, amount, fee, transaction)
  select 'acc_' || n % ${count}, '${environment}', 'charge', n::text, 1, 'txn_' || lpad(n::text, 9, '0'),
    'RequestPayment', 'pay', n * 1000::float8, 'succeeded', 'EUR', 500, 0, '{}'
  from generate_series(1, ${count * each}) n;`;

test.each([
  // One row more than a page, to know whether there is a next one.
  ['with statistics', analyze(tables), limit + 1],
  ['without statistics', '', 2 * (limit + 1)],
])('a page with children reads few rows of each account from an index, %s', async (_, statistics, ofEach) => {
  await database.reset({ storeAhead: 0 });
  await database.pool().query(`${fill} ${statistics}`);
  const pool = openPool({ connectionString: database.url(), max: 1 });
  const { payments, transactions } = postgresStorage(pool).requests;
  const scans = async (): Promise<number> => {
    await pool.query('select pg_stat_force_next_flush()');
    const { rows } = await pool.query(
      `select sum(seq_scan)::int as scans from pg_stat_user_tables where schemaname = 'partnerkit' and relname = any($1)`,
      [tables],
    );
    return rows[0].scans;
  };
  for (const newestFirst of [false, true]) {
    const page = { limit, newestFirst };
    const lists = [
      (after: object) => payments.list(own, { ...page, ...after }, { children }),
      (after: object) => payments.list(own, { ...page, ...after }, { children, updatedFrom: 1, statuses: ['pending'] }),
      (after: object) => transactions.list(own, { ...page, ...after }, { children }),
      (after: object) => transactions.list(own, { ...page, ...after }, { children, settledTo: 5_000_000 }),
    ];
    for (const list of lists) {
      const before = await scans();
      const { next: after = '' } = await list({});
      for (const begin of [{}, { after }])
        expect(await rowsReadBy(pool, tables, () => list(begin))).toBeLessThanOrEqual(count * ofEach);
      expect((await scans()) - before).toBe(0);
    }
  }
  const [total] = await transactions.sum(own, { children });
  expect(total).toMatchObject({ count: count * each, amount: 500 * count * each });
  const before = await scans();
  const read = await rowsReadBy(pool, tables, () =>
    transactions.sum(own, { children: children.slice(0, 4), settledFrom: 9_000_000 }),
  );
  // 101 rows are in the sum.
  expect(read).toBeLessThanOrEqual(2 * 101);
  expect((await scans()) - before).toBe(0);
});
