import { shardOf } from '@partnerkit/core/adapter';
import { migrate, postgresStorage } from '@partnerkit/postgres';
import { startPostgres } from '@partnerkit/workshop/services';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeBrowser, hasBrowser, openPage } from './support/browser.ts';
import { startPlatform } from './support/platform.ts';

/** Other accounts, each with as many endpoints as the one that is looked at. */
const others = 999;
const endpointsEach = 20;
/** Events of the account that is looked at, each for four of its endpoints: half of all deliveries. */
const ownEvents = 125_000;
const otherEvents = 125;
const connections = 4;
const tables = [
  'endpoints',
  'health',
  'events',
  'dispatches',
  'attempts',
  'pending',
  'outbox',
  'shards',
  'clients',
  'client_secrets',
];

afterAll(closeBrowser);

/** Events of an account over the last 30 days, their attempts and their endpoints, by SQL. */
const seed = (ofAccount: string, count: number): string => `
  with account as (${ofAccount}),
  given as (
    select a.id as account_id, a.shard, a.endpoints, n, now() - n * interval '30 days' / ${count} as at,
      (extract(epoch from now() - n * interval '30 days' / ${count}) * 1000)::bigint as ms
    from account a cross join generate_series(1, ${count}) n
  ), made as (
    insert into partnerkit.dispatches (account_id, event_id, shard, object_hash, dispatched_at, timestamp, endpoints)
    select account_id, (lpad(to_hex(ms), 12, '0') || '7000' || lpad(to_hex(n % 65536), 4, '8') || substr(md5(account_id || n), 1, 12))::uuid,
      shard, hashtextextended(account_id || n, 0), at, extract(epoch from at)::bigint,
      array[endpoints[1 + n % 20], endpoints[1 + (n + 5) % 20], endpoints[1 + (n + 10) % 20], endpoints[1 + (n + 15) % 20]]
    from given returning account_id, event_id as id, shard, dispatched_at, endpoints
  ), stored as (
    insert into partnerkit.events (account_id, id, object_name, object_id, type, stored_at, body_tail)
    select account_id, id, 'RequestPayment', 'pay_' || id, 'payed', dispatched_at,
      '"data":{"id":"pay"},"objectName":"RequestPayment","type":"payed"}' from made
  )
  insert into partnerkit.attempts (account_id, event_id, endpoint_id, replay, number, at, duration_ms, status, body, state)
  select account_id, id, endpoint, 0, 1, dispatched_at, 40 + random() * 300,
    case when nth = 1 and substr(id::text, 36, 1) = '0' then 500 else 204 end, '',
    case when nth = 1 and substr(id::text, 36, 1) = '0' then 'exhausted' else 'delivered' end
  from made cross join unnest(endpoints) with ordinality u(endpoint, nth)`;

describe.skipIf(!hasBrowser)('the portal beside 1,000,000 deliveries and 20,000 endpoints', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres();
    pool = new pg.Pool({ connectionString: server.url, max: connections });
    await migrate(pool);
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  /** The rows that all connections have read. */
  const rowsRead = async (): Promise<number> => {
    const flush = 'select pg_stat_force_next_flush(), pg_sleep(0.3)';
    await Promise.all(Array.from({ length: connections }, () => pool.query(flush)));
    const { rows } = await pool.query(
      `select ((select sum(idx_tup_read) from pg_stat_user_indexes where schemaname = 'partnerkit' and relname = any($1))
        + (select sum(seq_tup_read) from pg_stat_user_tables where schemaname = 'partnerkit' and relname = any($1)))::int as read`,
      [tables],
    );
    return rows[0].read;
  };

  it('reads no more for a screen than that shows', { timeout: 900_000 }, async () => {
    const platform = await startPlatform({ storage: postgresStorage(pool) as never, isIdle: true });
    const { accountId } = platform;
    for (let nth = 0; nth < endpointsEach; nth += 1) await platform.endpoint(`Webhook ${nth}`);
    await pool.query(`insert into partnerkit.endpoints
      select 'other_' || n, gen_random_uuid(), url, events, state, state_since, disabled_by, label, standard_webhooks, profile,
        include_children, created_at, secret, next_secret, activate_next_at, delivery_header_name, delivery_header_value, version
      from partnerkit.endpoints cross join generate_series(1, ${others}) n`);
    const endpointsOf =
      'select account_id as id, array_agg(id) as endpoints from partnerkit.endpoints group by account_id';
    const own = `select id, endpoints, ${shardOf(accountId)}::smallint as shard from (${endpointsOf}) e where id = '${accountId}'`;
    await pool.query(seed(own, ownEvents));
    await pool.query(
      seed(
        `select id, endpoints, (substr(id, 7)::int % 128)::smallint as shard from (${endpointsOf}) e where id <> '${accountId}'`,
        otherEvents,
      ),
    );
    await pool.query('update partnerkit.shards set watermark = now()');
    await pool.query('vacuum analyze');
    const { rows } = await pool.query(
      'select (select count(*)::int from partnerkit.attempts) as deliveries, (select count(*)::int from partnerkit.endpoints) as endpoints',
    );
    expect(rows[0].deliveries).toBeGreaterThanOrEqual(999_000);
    expect(rows[0].endpoints).toBe(20_000);

    const [endpoint] = (await platform.kit.endpoints.list(accountId))._unsafeUnwrap().items;
    const newest = await platform.kit.deliveries.list(accountId, { page: { newestFirst: true, limit: 1 } });
    const [delivery] = newest._unsafeUnwrap().items;
    const screens: readonly (readonly [name: string, hash: string, maxRows: number])[] = [
      ['Home', '', 45_000],
      ['Webhooks', '#/webhooks', 25_000],
      ['Webhook', `#/webhooks/${endpoint?.id}`, 30_000],
      ['Webhook, 30 days', `#/webhooks/${endpoint?.id}?period=month`, 30_000],
      ['Deliveries', '#/deliveries', 2_000],
      ['Deliveries that were given up', '#/deliveries?state=exhausted', 2_000],
      ['Deliveries of an object', '#/deliveries?objectId=pay_60000', 2_000],
      ['Published events', '#/deliveries?show=events', 2_000],
      ['Delivery', `#/deliveries/${delivery?.id}`, 2_000],
      ['Events', '#/events', 2_000],
      ['API keys', '#/keys', 2_000],
    ];
    const visit = async (page: Page, hash: string) => {
      const answered: Promise<number>[] = [];
      // The clock of the page stands still; that of the browser does not.
      await page.addInitScript(`new PerformanceObserver((list) => {
        window.firstPaint ??= list.getEntries().find(({ name }) => name === 'first-contentful-paint')?.startTime;
      }).observe({ type: 'paint', buffered: true })`);
      page.on('response', (response) => {
        if (response.url().includes('/api/')) answered.push(response.body().then(({ length }) => length));
      });
      const before = await rowsRead();
      const start = Date.now();
      await page.goto(`${platform.portalUrl}${hash}`);
      await page.locator('h2').waitFor();
      await expect.poll(() => page.locator('.skeleton').count(), { timeout: 60_000, interval: 5 }).toBe(0);
      const contentMs = Date.now() - start;
      const bytes = (await Promise.all(answered)).reduce((sum, each) => sum + each, 0);
      const paint = Number(await page.evaluate('window.firstPaint'));
      return { calls: answered.length, bytes, contentMs, paint: Math.round(paint), rows: (await rowsRead()) - before };
    };
    const { page: warm } = await openPage(platform.baseUrl, platform.session('owner'));
    for (const [, hash] of screens) await visit(warm, hash);
    const lines: string[] = [];
    for (const [name, hash, maxRows] of screens) {
      const { page } = await openPage(platform.baseUrl, platform.session('owner'));
      const { calls, bytes, contentMs, paint, rows: read } = await visit(page, hash);
      const number = (value: number): string => value.toLocaleString('en-US');
      lines.push(
        `| ${name} | ${calls} | ${number(read)} | ${number(bytes)} | ${number(paint)} ms | ${number(contentMs)} ms |`,
      );
      expect.soft(read, name).toBeLessThanOrEqual(maxRows);
    }
    console.log(
      ['| screen | calls | rows read | bytes | first paint | content |', '|---|---|---|---|---|---|', ...lines].join(
        '\n',
      ),
    );
  });
});
