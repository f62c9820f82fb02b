import { type Endpoint, type EndpointStore, shardOf } from '@partnerkit/core/ports';
import { isAttempt } from '../database/attempts.ts';
import type { Database } from '../database/database.ts';
import { endpointJson, moment, ms } from '../database/fragments.ts';
import { pageStatements, readPage } from '../database/pages.ts';
import { isUuid } from '../database/uuid.ts';
import type { SqlValue } from '../drivers/driver.ts';
import { disabledByCommand, endHistory, insertHistory } from './endpoint-history.ts';
import { pausedUntil } from './health.ts';

/** The largest `integer` of PostgreSQL; limits may be larger. */
const largestInteger = 2 ** 31 - 1;

/** Maximum number of attempts that one count reads. */
const maxCountedAttempts = 20_000;

/** The columns, and their values from the JSON `g` of an endpoint. */
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
  delivery_header_name: `g."deliveryHeader" ->> 'name'`,
  delivery_header_value: `g."deliveryHeader" ->> 'value'`,
};

const given = `json_to_record(($1::text)::json) as g("accountId" text, id uuid, url text, events json, state text, label text,
  "disabledBy" text, "standardWebhooks" boolean, "includeChildren" boolean, "createdAt" float8, secret text, "nextSecret" text, "activateNextAt" float8, "deliveryHeader" json, version int)`;

/** Whether an endpoint receives events of child accounts: 0 or 1. */
const includesChildren = (of: string): string => `(${of}.include_children and ${of}.state <> 'disabled')::int`;

/**
 * Serializes changes of endpoints in a shard: each locks the shard's row first, so its next statement sees all earlier
 * commits.
 */
const lockShard = 'select version::text from partnerkit.endpoint_versions where shard = $1::int for update';
const raise = (shard: string, delta: string): string => `raised as (
    update partnerkit.endpoint_versions set version = version + 1, include_children = include_children + (select ${delta} from changed)
    where shard = ${shard} and exists (select from changed)
  )`;

/** Endpoints. @internal */
export const endpointStore = <Tx extends object>({ sql, run, shortTransaction }: Database<Tx>): EndpointStore => {
  const lock = sql(lockShard);
  const insert = sql(`with changed as (
      insert into partnerkit.endpoints (${Object.keys(columns).join(', ')}, disabled_by, state_since, version)
      select ${Object.values(columns).join(', ')}, g."disabledBy", clock_timestamp(), g.version from ${given}
      where (select count(*) from partnerkit.endpoints where account_id = $3) < $4::int
      returning *
    ), ${insertHistory('changed', 'true')}, ${raise('$2::int', includesChildren('changed'))}
    select 1 as done from changed`);
  const replace = sql(`with before as materialized (
      select e.*, clock_timestamp() as moment from partnerkit.endpoints e, ${given}
      where e.account_id = g."accountId" and e.id = g.id and e.version = g.version for update of e
    ), changed as (
      update partnerkit.endpoints e set version = e.version + 1,
        disabled_by = case when g.state = 'disabled' then g."disabledBy" else e.disabled_by end,
        state_since = case when e.state = g.state then e.state_since else b.moment end,
        ${Object.entries(columns)
          .map(([column, value]) => `${column} = ${value}`)
          .join(', ')}
      from before b, ${given} where e.account_id = b.account_id and e.id = b.id
      returning e.*, b.moment, b.state as old_state, ${includesChildren('e')} - ${includesChildren('b')} as delta,
        (e.state, e.events, e.include_children) is distinct from (b.state, b.events, b.include_children) as is_other
    ), other as (
      select * from changed where is_other
    ), ${endHistory('other', 'c.moment')}, ${insertHistory('other', 'false', 'c.moment')}, forgotten as (
      delete from partnerkit.health h using changed c
      where h.account_id = c.account_id and h.endpoint_id = c.id and (c.state = 'enabled') <> (c.old_state = 'enabled')
    ), ${raise('$2::int', 'delta')}
    select 1 as done from changed`);
  const resume = sql(`with changed as (
      update partnerkit.endpoints set version = version + 1 where account_id = $1 and id = $2::uuid and version = $4::int
      returning account_id, id, 0 as delta
    ), resumed as (
      update partnerkit.health h set open_until = least(h.open_until, now()), retry_after_until = least(h.retry_after_until, now())
      from changed c where h.account_id = c.account_id and h.endpoint_id = c.id
    ), ${raise('$3::int', 'delta')}
    select 1 as done from changed`);
  const remove = sql(`with changed as (
      delete from partnerkit.endpoints e where e.account_id = $1 and e.id = $2::uuid
      returning e.account_id, e.id, -${includesChildren('e')} as delta
    ), ${endHistory('changed', 'clock_timestamp()')}, forgotten as (
      delete from partnerkit.health where account_id = $1 and endpoint_id = $2::uuid
    ), ${raise('$3::int', 'delta')}
    select 1 as done from changed`);
  const find = sql(
    `select ${endpointJson}::text as endpoint from partnerkit.endpoints e where e.account_id = $1 and e.id = $2::uuid`,
  );
  const health = sql(`select json_strip_nulls(json_build_object('endpointId', e.id, 'failures', coalesce(h.failures, 0),
      'failingSince', ${ms('h.failing_since')},
      'pausedUntil', case when greatest(h.open_until, h.retry_after_until) > now() then ${pausedUntil} end,
      'disabledBy', case e.state when 'disabled' then ${disabledByCommand('e')} when 'disabled_by_breaker' then e.disabled_by end,
      'disabledSince', case when e.state <> 'enabled' then ${ms('e.state_since')} end))::text as health
    from partnerkit.endpoints e left join partnerkit.health h on h.account_id = e.account_id and h.endpoint_id = e.id
    where e.account_id = $1 and e.id = any($2::uuid[]) and (e.state <> 'enabled' or h.failures is not null)`);
  const attempts = sql(`with recent as materialized (
      select a.endpoint_id, a.at, a.status from partnerkit.attempts a where a.account_id = $1 and ${isAttempt}
      order by a.event_id desc limit ${maxCountedAttempts + 1}
    ), hours as (
      select floor(date_part('epoch', at) / 3600) * 3600000 as at, count(*) filter (where status between 200 and 299) as succeeded,
        count(*) filter (where status is null or status not between 200 and 299) as failed
      from recent where endpoint_id = $2::uuid and at >= ${moment('$3')} group by 1
    )
    select (select count(*)::int from recent) as total, (select json_agg(hours order by at)::text from hours) as hours`);
  const lists = pageStatements('e.id', '$2', (rest) =>
    sql(
      `select ${endpointJson}::text as endpoint from partnerkit.endpoints e
      where e.account_id = $1 and ${rest} limit $3::int`,
    ),
  );
  const listsOfAll = pageStatements('e.id', '$1', (rest) =>
    sql(`select ${endpointJson}::text as endpoint from partnerkit.endpoints e where ${rest} limit $2::int`),
  );
  // A sealed value has its key id between its first two dots. Columns are single words: some drivers rewrite others.
  const countKeys = sql(`select counted.*, ${endpointJson}::text as endpoint from (
      select key, count(*)::int as endpoints, min(e.id::text) as sample from partnerkit.endpoints e cross join lateral (
        select distinct split_part(sealed, '.', 2) as key from (values (e.secret), (e.next_secret), (e.delivery_header_value)) as v(sealed)
        where sealed is not null
      ) keys group by key
    ) counted join partnerkit.endpoints e on e.id = counted.sample::uuid`);

  const read = (rows: readonly Readonly<Record<string, unknown>>[]): readonly Endpoint[] =>
    rows.map(({ endpoint }) => JSON.parse(String(endpoint)));

  /** Whether the statement changed a row. */
  const change = (shard: number, text: string, values: readonly SqlValue[]): Promise<boolean> =>
    shortTransaction(async (own) => {
      await own(lock, [shard]);
      return (await own(text, values)).length > 0;
    });

  return {
    insertEndpoint: (endpoint, most) => {
      const shard = shardOf(endpoint.accountId);
      return change(shard, insert, [
        JSON.stringify(endpoint),
        shard,
        endpoint.accountId,
        Math.min(most, largestInteger),
      ]);
    },
    findEndpoint: async (accountId, endpointId) =>
      isUuid(endpointId) ? read(await run(find, [accountId, endpointId]))[0] : undefined,
    readHealth: async (accountId, endpointIds) => {
      const ids = endpointIds.filter(isUuid);
      const rows = ids.length === 0 ? [] : await run(health, [accountId, ids]);
      return rows.map((row) => JSON.parse(String(row['health'])));
    },
    countAttempts: async (accountId, endpointId, from) => {
      if (!isUuid(endpointId)) return { hours: [], isComplete: true };
      const [row] = await run(attempts, [accountId, endpointId, from]);
      return {
        hours: JSON.parse(String(row?.['hours'] ?? '[]')),
        isComplete: Number(row?.['total']) <= maxCountedAttempts,
      };
    },
    listEndpoints: (accountId, page) =>
      readPage(lists, page, async (list, after, limit) => read(await run(list, [accountId, after, limit]))),
    listAllEndpoints: (page) =>
      readPage(listsOfAll, page, async (list, after, limit) => read(await run(list, [after, limit]))),
    countBySealingKey: async () =>
      (await run(countKeys, [])).map((row) => ({
        keyId: String(row['key']),
        endpoints: Number(row['endpoints']),
        sample: JSON.parse(String(row['endpoint'])),
      })),
    replaceEndpoint: async (endpoint) => {
      const shard = shardOf(endpoint.accountId);
      return change(shard, replace, [JSON.stringify(endpoint), shard]);
    },
    resumeEndpoint: async (accountId, endpointId, version) => {
      const shard = shardOf(accountId);
      return isUuid(endpointId) && change(shard, resume, [accountId, endpointId, shard, version]);
    },
    deleteEndpoint: async (accountId, endpointId) => {
      const shard = shardOf(accountId);
      return isUuid(endpointId) && change(shard, remove, [accountId, endpointId, shard]);
    },
  };
};
