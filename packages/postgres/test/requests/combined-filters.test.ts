import type { RequestFilter } from '@partnerkit/core/requests';
import { beforeAll, expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = useDatabase(inject('postgres'));
const own = { id: 'acc_ours', environment: 'prod' };
const rows = 5_500;
/** How many rows a page looks at where no index has the whole filter. */
const lookedAt = 1_000;
const rare = [1, 999, 1_000, 1_001, 2_500, rows];
const begin = 1_750_000_000_000;
const idOf = (nth: number): string => `pay_${String(nth).padStart(5, '0')}`;

beforeAll(async () => {
  await database.reset({ storeAhead: 0 });
  await database.pool().query(
    `insert into partnerkit.requests (kind, id, account_id, environment, version, status, reference, recipient_email,
      parent_id, created_at, updated_at, record)
    select 'payment', id, $1, $2, 1, case when n = any($3::int[]) then 'payed' else 'pending' end, 'ours',
      'guest@example.com', case n % 2 when 0 then 'even' end, ${begin} + n, ${begin} + ${rows} - n,
      json_build_object('id', id, 'createdAt', ${begin} + n, 'updatedAt', ${begin} + ${rows} - n)::text
    from (select n, 'pay_' || lpad(n::text, 5, '0') as id from generate_series(1, ${rows}) n) numbered`,
    [own.id, own.environment, rare],
  );
});

/** All pages of a list: their ids, and how many pages there are. */
const readAll = async (filter: RequestFilter, newestFirst: boolean, limit: number) => {
  const { payments } = postgresStorage(database.pool()).requests;
  const ids: string[] = [];
  let pages = 0;
  for (let after: string | undefined; ; ) {
    const page = await payments.list(own, { limit, newestFirst, ...(after === undefined ? {} : { after }) }, filter);
    ids.push(...page.items.map(({ id }) => id));
    pages++;
    expect(page.items.length).toBeLessThanOrEqual(limit);
    if (page.next === undefined) return { ids, pages };
    after = page.next;
  }
};

const all = Array.from({ length: rows }, (_, index) => index + 1);
const recipientEmail = 'guest@example.com';
const cases: readonly (readonly [what: string, filter: RequestFilter, expected: readonly number[]])[] = [
  ['few', { recipientEmail, statuses: ['payed'] }, rare],
  ['none', { recipientEmail, statuses: ['cancelled'] }, []],
  ['half', { reference: 'ours', templateId: 'even' }, all.filter((nth) => nth % 2 === 0)],
  [
    'few, of three filters in one range',
    { reference: 'ours', recipientEmail, statuses: ['payed'], createdFrom: begin + 999, createdTo: begin + 2_500 },
    [999, 1_000, 1_001],
  ],
  [
    'few, in the order of updates',
    { recipientEmail, statuses: ['payed'], updatedFrom: begin + rows - 2_500 },
    [2_500, 1_001, 1_000, 999, 1],
  ],
  ['those of two ranges', { createdTo: begin + 1_001, updatedTo: begin + rows - 998 }, [1_000, 999]],
];

test.each(
  cases.flatMap((each) =>
    [false, true].flatMap((newestFirst) => [7, 100].map((limit) => [...each, newestFirst, limit] as const)),
  ),
)(
  '%s of many rows fit: each is on one page, whatever lies between them (%j)',
  async (_what, filter, expected, newestFirst, limit) => {
    const { ids, pages } = await readAll(filter, newestFirst, limit);
    expect(ids).toEqual((newestFirst ? expected.toReversed() : expected).map(idOf));
    // A page ends because it is full, or because it has looked at as much as it may.
    expect(pages).toBeLessThanOrEqual(1 + expected.length / limit + rows / lookedAt);
  },
);
