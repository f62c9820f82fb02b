import type { RequestFilter } from '@partnerkit/core/requests';
import { beforeEach, expect, inject, test } from 'vitest';
import { postgresRequests } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';

const database = useDatabase(inject('postgres'));
const own = { id: 'acc_ours', environment: 'prod' };
const rows = 20_000;
const limit = 10;
/** When a row was made; every tenth was payed. */
const madeAt = (place: number): number => 1_750_000_000_000 + place * 1_000;
const idOf = (place: number): string => `01970000-0000-7000-8000-${place.toString(16).padStart(12, '0')}`;

beforeEach(() => database.reset({ storeAhead: 0 }));

const fill = async (): Promise<void> => {
  await database.pool().query(
    `insert into partnerkit.requests (account_id, kind, id, environment, version, status, template_id, created_at, record)
      select $1, 'payment', id, $2, 1,
        case when place % 10 = 0 then 'payed' else 'pending' end, 'of ' || place % 10, time, json_build_object('id', id, 'createdAt', time)::text
      from (select place, ('01970000-0000-7000-8000-' || lpad(to_hex(place), 12, '0'))::uuid as id,
        1750000000000 + place * 1000::float8 as time from generate_series(1, $3::int) place) made`,
    [own.id, own.environment, rows],
  );
};

type Payments = ReturnType<typeof postgresRequests>['payments'];

/** How many blocks of the table and its indexes some work looks at. */
const readBy = async (
  work: (payments: Payments) => Promise<unknown>,
  prepare: (payments: Payments) => Promise<unknown> = async () => undefined,
): Promise<number> => {
  const pool = openPool({ connectionString: database.url(), max: 1 });
  const read = async (): Promise<number> => {
    await pool.query('select pg_stat_force_next_flush()');
    const { rows: sums } =
      await pool.query(`select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as sum
      from pg_statio_user_tables where relname = 'requests'`);
    return sums[0].sum;
  };
  const { payments } = postgresRequests(pool);
  await payments.list({ ...own, id: 'acc_other' }, { limit });
  await prepare(payments);
  const before = await read();
  await work(payments);
  return (await read()) - before;
};

/** So often, that the server has settled for one plan. */
const times = 12;
/** Of an index, and one block of the table. */
const mostLevels = 5;

test('one that is asked for by its id is the only one that is read, also on a connection that knew the table empty', async () => {
  const findAll = async (payments: Payments): Promise<void> => {
    for (let time = 1; time <= times; time++) await payments.find(own, idOf(time * 1_000));
  };
  const before = async (payments: Payments): Promise<void> => {
    await findAll(payments);
    await fill();
  };
  expect(await readBy(findAll, before)).toBeLessThanOrEqual(times * mostLevels);
});

const filters: readonly (readonly [string, RequestFilter])[] = [
  ['all', {}],
  ['those of one status', { status: 'payed' }],
  ['those of a status that none has', { status: 'cancelled' }],
  ['those from one template', { templateId: 'of 3' }],
  ['the second half', { createdFrom: madeAt(rows / 2) }],
  ['the last few', { createdFrom: madeAt(rows - 5) }],
  ['a minute in the middle', { createdFrom: madeAt(rows / 2), createdTo: madeAt(rows / 2 + 60) }],
  ['the second half of those of one status', { status: 'payed', createdFrom: madeAt(rows / 2) }],
  ['the first half', { createdTo: madeAt(rows / 2) }],
];
test.each(
  filters.flatMap(([what, filter]) => [
    { what, filter, order: 'oldest first', newestFirst: false },
    { what, filter, order: 'newest first', newestFirst: true },
  ]),
)('a page of $what, $order, reads what it shows and no more', async ({ filter, newestFirst }) => {
  await fill();
  await database.pool().query('vacuum analyze partnerkit.requests');
  const reads = await readBy(async (payments) => {
    for (let time = 0; time < times; time++) {
      const { next } = await payments.list(own, { limit, newestFirst }, filter);
      if (next !== undefined) await payments.list(own, { limit, newestFirst, after: next }, filter);
    }
  });
  expect(reads).toBeLessThanOrEqual(times * 2 * (limit + 1 + mostLevels));
});
