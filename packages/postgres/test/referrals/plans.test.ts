import { describe, expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { analyze, forgetAll, rowsReadBy } from '../support/rows-read.ts';

const database = useDatabase(inject('postgres'));
const accounts = 20_000;
const ofOne = 50_000;

const tables = ['events', 'referrals'];

const fill = `
  insert into partnerkit.events (account_id, id, object_name, object_id, type, dispatched_at, second, rest)
  select 'one', gen_random_uuid(), 'RequestPayment', n::text, 'payed', now(), n, ',"data":{}}' from generate_series(1, ${ofOne}) n;
  insert into partnerkit.referrals (account_id, event_id) select 'one', id from partnerkit.events order by second;
  insert into partnerkit.referrals (account_id, event_id) select 'some-' || n, gen_random_uuid() from generate_series(1, ${accounts}) n;`;

describe.each([
  ['statistics of them', fill, analyze(tables)],
  ['statistics and plans of empty tables', analyze(tables), fill],
] as const)(
  `with ${accounts} accounts that wait, one of them with ${ofOne} events, and %s, little is read`,
  (_, first, then) => {
    test('to list some accounts, and to refer a batch: its own events and no others', async () => {
      await database.reset({ storeAhead: 0 });
      await database.pool().query(forgetAll(tables) + first);
      const pool = openPool({ connectionString: database.url(), max: 1 });
      const { referrals } = postgresStorage(pool);
      await referrals.listReferring(32);
      await referrals.refer([{ accountId: 'none', upTo: '1', parentId: 'parent' }]);
      await database.pool().query(then);

      const list = () => referrals.listReferring(32);
      const page = await list();
      expect(page).toHaveLength(32);
      expect(page[0]?.accountId).toBe('one');
      const listed = await rowsReadBy(pool, ['referrals'], list);
      expect(listed).toBeGreaterThanOrEqual(32);
      expect(listed).toBeLessThanOrEqual(100);

      const refer = async () => {
        const referred = await referrals.refer(page.map((each) => ({ ...each, parentId: 'parent' })));
        expect(referred).toEqual({ events: 500, copies: 0 });
      };
      const events = await rowsReadBy(pool, ['events'], refer);
      expect(events).toBeGreaterThanOrEqual(450);
      expect(events).toBeLessThanOrEqual(1_000);
      expect(await rowsReadBy(pool, ['referrals'], refer)).toBeLessThanOrEqual(5_000);
    });
  },
);

test('where 5,000 endpoints take no events of children, a dispatch looks at none of them to know', async () => {
  const pool = openPool({ connectionString: database.url(), max: 1 });
  const { events, queue } = postgresStorage(pool);
  await database.pool().query(`
    insert into partnerkit.endpoints (account_id, id, url, events, state, standard_webhooks, include_children, created_at, secret, version)
    select 'many-' || n, gen_random_uuid(), 'https://partner.example/', '{payed}', 'enabled', false, false, now(), 'sealed', 1
    from generate_series(1, 5000) n;
    analyze partnerkit.endpoints`);
  const want = { worker: 'w', limit: 0, perEndpoint: 8, perAccount: 16, lease: 60_000, schedule: [] };
  const event = { accountId: 'lonely', objectName: 'RequestPayment', type: 'payed', objectId: 'o', rest: '}' } as const;
  await events.appendAlone?.([{ ...event, id: '01934c04-c000-7000-8000-000000000001' }]);
  let dispatched = 0;
  const read = await rowsReadBy(pool, ['endpoints'], async () => {
    const answer = await queue.dispatch(want);
    dispatched = answer.events;
    expect(answer.referring).toBe(false);
  });
  expect(dispatched).toBe(1);
  expect(read).toBeLessThanOrEqual(1);
});
