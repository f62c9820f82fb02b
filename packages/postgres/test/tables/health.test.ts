import { shardOf } from '@partnerkit/core/adapter';
import { expect, inject, test } from 'vitest';
import { fromPg, postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { rowsReadBy } from '../support/rows-read.ts';

const size = { endpoints: 2_000, failing: 200, waiting: 20_000, finished: 20_000, workers: 8 };
const tables = ['attempts', 'dispatches', 'endpoints', 'events', 'handler_deliveries', 'health', 'outbox', 'pending'];
const members = ['shards', 'workers'];

const accounts = Array.from({ length: 100 }, (_, nth) => `acc_${nth}`);
const ofAccounts = `(values ${accounts.map((id, nth) => `(${nth}, '${id}', ${shardOf(id)})`).join(', ')}) a(nth, id, shard)`;
const uuid = (number: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** Endpoints of all accounts; the first ones fail, and all that waits is theirs. */
const fill = `
  insert into partnerkit.endpoints (account_id, id, kind, url, events, state, state_since, standard_webhooks, include_children, created_at, secret, version)
  select a.id, ${uuid('n')}, 'push', 'https://a.example/', '{payed}', 'enabled', now(), false, false, now(), 's', 1
  from generate_series(0, ${size.endpoints - 1}) n join ${ofAccounts} on a.nth = n % 100;
  insert into partnerkit.health
  select a.id, ${uuid('n')}, 9, now() - n * interval '1 minute', true, 3, now(), now()
  from generate_series(0, ${size.failing - 1}) n join ${ofAccounts} on a.nth = n % 100;
  insert into partnerkit.pending
  select a.id, ${uuid('1000000 + n')}, ${uuid(`n % ${size.failing}`)}, 0, a.shard, 'scheduled', now() - interval '1 hour', 3, 3, false, false, now()
  from generate_series(0, ${size.waiting - 1}) n join ${ofAccounts} on a.nth = (n % ${size.failing}) % 100;
  insert into partnerkit.workers select 'w' || n, now() + interval '1 hour' from generate_series(0, ${size.workers - 1}) n;
  update partnerkit.shards set owner = 'w' || shard % ${size.workers}, is_recovered = true, watermark = now();`;

/** Delivered events of all accounts. */
const finish = `
  insert into partnerkit.events (account_id, id, object_name, object_id, type, stored_at, body_tail)
  select a.id, ${uuid('2000000 + n')}, 'RequestPayment', n::text, 'payed', now(), '{}'
  from generate_series(0, ${size.finished - 1}) n join ${ofAccounts} on a.nth = n % 100;
  insert into partnerkit.dispatches (dispatched_at, timestamp, object_hash, event_id, shard, account_id, endpoints)
  select now() - interval '1 day', n, n, ${uuid('2000000 + n')}, a.shard, a.id, array[${uuid('n % 1000')}]
  from generate_series(0, ${size.finished - 1}) n join ${ofAccounts} on a.nth = n % 100;
  insert into partnerkit.attempts (account_id, event_id, endpoint_id, replay, number, at, duration_ms, status, state)
  select a.id, ${uuid('2000000 + n')}, ${uuid('n % 1000')}, 0, 1, now() - interval '1 day', 5, 200, 'delivered'
  from generate_series(0, ${size.finished - 1}) n join ${ofAccounts} on a.nth = n % 100;`;

const database = useDatabase(inject('postgres'));

test('health takes three statements, and reads no row of what is finished', async () => {
  await database.reset({ storeAhead: 0 });
  const pool = openPool({ connectionString: database.url(), max: 1 });
  const sent: string[] = [];
  const driver = fromPg(pool);
  const { log, handlers } = postgresStorage({
    ...driver,
    query: (text, values) => {
      sent.push(text);
      return driver.query(text, values);
    },
  });
  const health = async () => [await log.countBacklog(), await log.readHealthSnapshot(), await handlers.listHandlers()];
  await health();
  sent.length = 0;
  await health();
  expect(sent).toHaveLength(3);

  await pool.query(`${fill} analyze`);
  const before = await rowsReadBy(pool, [...tables, ...members], health);
  expect(before).toBeLessThan(50_000);
  await pool.query(`${finish} analyze`);
  const read = await rowsReadBy(pool, [...tables, ...members], health);
  expect(read).toBeLessThanOrEqual(before + 10);
  const [backlog, snapshot] = (await health()) as [object, { readonly endpoints: readonly object[] }];
  expect(backlog).toMatchObject({ waiting: 10_000, held: 0 });
  expect(snapshot).toMatchObject({ failingEndpoints: size.failing, freeShards: 0 });
  expect(snapshot.endpoints[0]).toMatchObject({
    accountId: 'acc_99',
    failures: 9,
    unfinished: size.waiting / size.failing,
  });
});
