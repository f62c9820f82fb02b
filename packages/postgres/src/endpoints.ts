import type { Endpoint, EndpointStore } from '@partnerkit/core';
import type { Database } from './database.ts';
import { moment } from './fragments.ts';
import { lastInLine } from './migrations/0001-shared.ts';
import { readPage } from './pages.ts';
import { isUuid } from './uuid.ts';

/** The columns, and what JSON `g` of an endpoint puts into them. */
const columns: Readonly<Record<string, string>> = {
  account_id: `g."accountId"`,
  id: 'g.id',
  url: 'g.url',
  events: 'array(select json_array_elements_text(g.events))',
  state: 'g.state',
  label: 'g.label',
  standard_webhooks: `g."standardWebhooks"`,
  include_children: `g."includeChildren"`,
  created_at: moment(`g."createdAt"`),
  secret: 'g.secret',
  next_secret: `g."nextSecret"`,
  activate_next_at: moment(`g."activateNextAt"`),
  api_key_header: `g."apiKey" ->> 'header'`,
  api_key_value: `g."apiKey" ->> 'value'`,
};

const given = `json_to_record(($1::text)::json) as g("accountId" text, id uuid, url text, events json, state text, label text,
  "standardWebhooks" boolean, "includeChildren" boolean, "createdAt" float8, secret text, "nextSecret" text, "activateNextAt" float8, "apiKey" json, version int)`;

/** Moves what waits for an endpoint and is not being attempted. */
const park = (state: 'held' | 'expired'): string => `
  with moved as (
    delete from partnerkit.queue where account_id = $1 and endpoint_id = $2::uuid returning *
  ), later as (
    delete from partnerkit.later where account_id = $1 and endpoint_id = $2::uuid returning *
  )
  insert into partnerkit.parked (account_id, endpoint_id, due_at, id, event_id, attempts, state, since)
  select account_id, endpoint_id, due_at, id, event_id, attempts, '${state}', clock_timestamp()
  from (select account_id, endpoint_id, due_at, id, event_id, attempts from moved
    union all select account_id, endpoint_id, due_at, id, event_id, attempts from later) waiting`;

/** @internal */
export const endpointStore = <Tx extends object>({ sql, run, alone }: Database<Tx>): EndpointStore => {
  const countUp = sql('select count(*)::int as count from partnerkit.endpoints where account_id = $1');
  const insert = sql(`insert into partnerkit.endpoints (${Object.keys(columns).join(', ')}, version)
    select ${Object.values(columns).join(', ')}, g.version from ${given}`);
  // Of the row before and after: only leaving and entering `enabled` moves deliveries.
  const replace = sql(`with before as (
      select e.account_id, e.id, e.state from partnerkit.endpoints e, ${given}
      where e.account_id = g."accountId" and e.id = g.id and e.version = g.version for update of e
    )
    update partnerkit.endpoints e set version = e.version + 1,
      ${Object.entries(columns)
        .map(([column, value]) => `${column} = ${value}`)
        .join(', ')}
    from before, ${given} where e.account_id = before.account_id and e.id = before.id
    returning case when (before.state = 'enabled') = (e.state = 'enabled') then 'same' else e.state end as turned`);
  const find = sql(
    `select partnerkit.endpoint_json(e)::text as endpoint from partnerkit.endpoints e where e.account_id = $1 and e.id = $2::uuid`,
  );
  const list = sql(`select partnerkit.endpoint_json(e)::text as endpoint from partnerkit.endpoints e
    where e.account_id = $1 and e.id > $2::uuid order by e.id limit $3::int`);
  const listAll = sql(`select partnerkit.endpoint_json(e)::text as endpoint from partnerkit.endpoints e
    where e.id > $1::uuid order by e.id limit $2::int`);
  // A sealed value names its key between its first two dots. Column names have one word: some drivers rewrite others.
  const countKeys = sql(`select key, count(*)::int as endpoints from partnerkit.endpoints e cross join lateral (
      select distinct split_part(sealed, '.', 2) as key from (values (e.secret), (e.next_secret), (e.api_key_value)) as v(sealed)
      where sealed is not null
    ) keys group by key`);
  const remove = sql('delete from partnerkit.endpoints where account_id = $1 and id = $2::uuid returning 1');
  const forget = sql('delete from partnerkit.health where account_id = $1 and endpoint_id = $2::uuid');
  const expireHeld = sql(`update partnerkit.parked set state = 'expired', since = clock_timestamp()
    where account_id = $1 and endpoint_id = $2::uuid and state = 'held'`);
  const [hold, expire] = [sql(park('held')), sql(park('expired'))];
  // Each is attempted when it was due anyway: at once, should that have passed.
  const release = sql(`
    with freed as (
      delete from partnerkit.parked where account_id = $1 and endpoint_id = $2::uuid and state = 'held' returning *
    ), due as (
      insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
      select account_id, endpoint_id, due_at, id, event_id, attempts from freed
      where due_at <= now() or due_at = '${lastInLine}'
    )
    insert into partnerkit.later (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, attempts from freed
    where due_at > now() and due_at < '${lastInLine}'`);

  const read = (rows: readonly Readonly<Record<string, unknown>>[]): readonly Endpoint[] =>
    rows.map(({ endpoint }) => JSON.parse(String(endpoint)));

  return {
    insertEndpoint: (endpoint, most) =>
      alone(async (own) => {
        const [counted] = await own(countUp, [endpoint.accountId]);
        if (Number(counted?.['count']) >= most) return false;
        await own(insert, [JSON.stringify(endpoint)]);
        return true;
      }),
    findEndpoint: async (accountId, endpointId) =>
      isUuid(endpointId) ? read(await run(find, [accountId, endpointId]))[0] : undefined,
    listEndpoints: (accountId, page) =>
      readPage(page, async (after, limit) => read(await run(list, [accountId, after, limit]))),
    listAllEndpoints: (page) => readPage(page, async (after, limit) => read(await run(listAll, [after, limit]))),
    countBySealingKey: async () =>
      (await run(countKeys, [])).map((row) => ({ keyId: String(row['key']), endpoints: Number(row['endpoints']) })),
    replaceEndpoint: (endpoint) =>
      alone(async (own) => {
        const [replaced] = await own(replace, [JSON.stringify(endpoint)]);
        const key = [endpoint.accountId, endpoint.id];
        if (replaced && replaced['turned'] !== 'same') {
          await own(replaced['turned'] === 'enabled' ? release : hold, key);
          await own(forget, key);
        }
        return replaced !== undefined;
      }),
    deleteEndpoint: async (accountId, endpointId) => {
      if (!isUuid(endpointId)) return false;
      return alone(async (own) => {
        const key = [accountId, endpointId];
        if ((await own(remove, key)).length === 0) return false;
        await own(expire, key);
        await own(expireHeld, key);
        await own(forget, key);
        return true;
      });
    },
  };
};
