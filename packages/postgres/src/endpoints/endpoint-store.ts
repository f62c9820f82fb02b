import { type Endpoint, type EndpointStore, type NewAuditEntry, shardOf } from '@partnerkit/core/adapter';
import { appendAudit } from '../audit/append-audit.ts';
import type { Database, Run } from '../database/database.ts';
import { ms } from '../database/fragments.ts';
import { pageStatements, readPage } from '../database/pages.ts';
import { join, type Part, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { isUuid } from '../database/uuid.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { columns, endpointJson, recordColumns } from './endpoint-columns.ts';
import { disabledByCommand, endHistory, insertHistory } from './endpoint-history.ts';
import { pausedUntil } from './health.ts';
import { raiseVersions } from './raise-versions.ts';
import { pausedSince } from './sending-store.ts';

/** The largest `integer` of PostgreSQL; limits may be larger. */
const largestInteger = 2 ** 31 - 1;

const [accountId, id, shard] = [value('accountId', 'text'), value('id', 'uuid'), value('shard', 'int')];

const given = sql`json_to_record((${value('endpoint', 'text')})::json) as g(${recordColumns})`;

/** Whether an endpoint receives events of child accounts: 0 or 1. */
const includesChildren = (of: string) => sql`(${of}.include_children and ${of}.state <> 'disabled')::int`;

/**
 * Serializes changes of endpoints in a shard: each locks the shard's row first, so its next statement sees all earlier
 * commits.
 */
const lockShard = statement`select version::text from ${t.endpoint_versions} where shard = ${shard} for update`;

const raise = <const P extends Part>(delta: P) =>
  raiseVersions(sql`select ${shard} from changed`, sql`(select ${delta} from changed)`);

const insert = statement`with changed as (
    insert into ${t.endpoints} (${Object.keys(columns).join(', ')}, disabled_by, state_since, version)
    select ${join(Object.values(columns), ', ')}, case g.state when 'disabled_by_breaker' then 'failing' else g."disabledBy" end, clock_timestamp(), g.version from ${given}
    where (select count(*) from ${t.endpoints} where account_id = ${accountId}) < ${value('limit', 'int')}
    returning *
  ), fed as (
    insert into ${t.feeds} (account_id, endpoint_id) select account_id, id from changed where kind = 'pull' on conflict do nothing
  ), ${insertHistory('changed', 'true')}, ${raise(includesChildren('changed'))}
  select 1 as done from changed`;

const replace = statement`with before as materialized (
    select e.*, clock_timestamp() as moment from ${t.endpoints} e, ${given}
    where e.account_id = g."accountId" and e.id = g.id and e.version = g.version for update of e
  ), changed as (
    update ${t.endpoints} e set version = e.version + 1,
      disabled_by = case when g.state = 'disabled' then g."disabledBy" else e.disabled_by end,
      state_since = case when e.state = g.state then e.state_since else b.moment end,
      ${join(
        Object.entries(columns).map(([column, value]) => sql`${column} = ${value}`),
        ', ',
      )}
    from before b, ${given} where e.account_id = b.account_id and e.id = b.id
    returning e.*, b.moment, b.state as old_state, ${includesChildren('e')} - ${includesChildren('b')} as delta,
      (e.state, e.events, e.include_children) is distinct from (b.state, b.events, b.include_children) as is_other
  ), other as (
    select * from changed where is_other
  ), ${endHistory('other', 'c.moment')}, ${insertHistory('other', 'false', 'c.moment')}, forgotten as (
    delete from ${t.health} h using changed c
    where h.account_id = c.account_id and h.endpoint_id = c.id and (c.state = 'enabled') <> (c.old_state = 'enabled')
  ), ${raise('delta')}
  select 1 as done from changed`;

const resume = statement`with changed as (
    update ${t.endpoints} set version = version + 1 where account_id = ${accountId} and id = ${id} and version = ${value('version', 'int')}
    returning account_id, id, 0 as delta
  ), resumed as (
    update ${t.health} h set open_until = least(h.open_until, now()), retry_after_until = least(h.retry_after_until, now())
    from changed c where h.account_id = c.account_id and h.endpoint_id = c.id
  ), ${raise('delta')}
  select 1 as done from changed`;

const remove = statement`with changed as (
    delete from ${t.endpoints} e where e.account_id = ${accountId} and e.id = ${id}
    returning e.account_id, e.id, -${includesChildren('e')} as delta
  ), ${endHistory('changed', 'clock_timestamp()')}, forgotten as (
    delete from ${t.health} where account_id = ${accountId} and endpoint_id = ${id}
  ), unfed as (
    delete from ${t.feeds} where account_id = ${accountId} and endpoint_id = ${id} and last = pruned
  ), ${raise('delta')}
  select 1 as done from changed`;

const find = statement`select ${endpointJson}::text as endpoint
  from ${t.endpoints} e where e.account_id = ${accountId} and e.id = ${id}`;

const health = statement`select json_strip_nulls(json_build_object('endpointId', e.id, 'failures', coalesce(h.failures, 0),
    'failingSince', ${ms('h.failing_since')},
    'pausedUntil', case when greatest(h.open_until, h.retry_after_until) > now() then ${pausedUntil} end,
    'disabledBy', case e.state when 'disabled' then ${disabledByCommand('e')} when 'disabled_by_breaker' then e.disabled_by end,
    'disabledSince', case when e.state <> 'enabled' then ${ms('e.state_since')} end, 'sendingPausedSince', s.since))::text as health
  from ${t.endpoints} e left join ${t.health} h on h.account_id = e.account_id and h.endpoint_id = e.id
    cross join lateral (select case when e.kind = 'push' then ${pausedSince('e.account_id', 'e.id')} end as since) s
  where e.account_id = ${accountId} and e.id = any(${value('ids', 'uuid[]')})
    and (e.state <> 'enabled' or h.failures is not null or s.since is not null)`;

const lists = pageStatements(
  'e.id',
  (rest) => statement`select ${endpointJson}::text as endpoint from ${t.endpoints} e
    where e.account_id = ${accountId} and ${rest}`,
);
const listsOfAll = pageStatements(
  'e.id',
  (rest) => statement`select ${endpointJson}::text as endpoint from ${t.endpoints} e where ${rest}`,
);

/** A sealed value has its key id between its first two dots. Columns are single words: some drivers rewrite others. */
const countKeys = statement`select counted.*, ${endpointJson}::text as endpoint from (
    select key, count(*)::int as endpoints, min(e.id::text) as sample from ${t.endpoints} e cross join lateral (
      select distinct split_part(sealed, '.', 2) as key from (values (e.secret), (e.next_secret), (e.delivery_header_value)) as v(sealed)
      where sealed is not null
    ) keys group by key
  ) counted join ${t.endpoints} e on e.id = counted.sample::uuid`;

const countProfiles = statement`select profile, count(*)::int as endpoints from ${t.endpoints} where profile is not null group by profile`;

export const endpointStore = <Tx extends object>({ run, shortTransaction }: Database<Tx>): EndpointStore<Tx> => {
  const read = (rows: readonly Readonly<Record<string, unknown>>[]): readonly Endpoint[] =>
    rows.map(({ endpoint }) => JSON.parse(String(endpoint)));

  /** Whether the statement of `work` changed a row. Then the entry is stored, too. */
  const change = (
    shard: number,
    audit: NewAuditEntry | undefined,
    work: (own: Run) => Promise<readonly SqlRow[]>,
    tx?: Tx,
  ): Promise<boolean> =>
    shortTransaction(async (own) => {
      await own(lockShard, { shard });
      const isMade = (await work(own)).length > 0;
      if (isMade) await appendAudit(own, audit);
      return isMade;
    }, tx);

  return {
    insertEndpoint: (endpoint, maxEndpoints, tx, audit) => {
      const { accountId } = endpoint;
      const shard = shardOf(accountId);
      const limit = Math.min(maxEndpoints, largestInteger);
      const values = { endpoint: JSON.stringify(endpoint), shard, accountId, limit };
      return change(shard, audit, (own) => own(insert, values), tx);
    },
    findEndpoint: async (accountId, id) => (isUuid(id) ? read(await run(find, { accountId, id }))[0] : undefined),
    readHealth: async (accountId, endpointIds) => {
      const ids = endpointIds.filter(isUuid);
      const rows = ids.length === 0 ? [] : await run(health, { accountId, ids });
      return rows.map((row) => JSON.parse(String(row['health'])));
    },
    listEndpoints: (accountId, page) =>
      readPage(lists, page, async (list, values) => read(await run(list, { accountId, ...values }))),
    listAllEndpoints: (page) => readPage(listsOfAll, page, async (list, values) => read(await run(list, values))),
    countBySealingKey: async () =>
      (await run(countKeys)).map((row) => ({
        keyId: String(row['key']),
        endpoints: Number(row['endpoints']),
        sample: JSON.parse(String(row['endpoint'])),
      })),
    countByProfile: async () =>
      (await run(countProfiles)).map((row) => ({
        profile: String(row['profile']),
        endpoints: Number(row['endpoints']),
      })),
    replaceEndpoint: (endpoint, audit) => {
      const shard = shardOf(endpoint.accountId);
      return change(shard, audit, (own) => own(replace, { endpoint: JSON.stringify(endpoint), shard }));
    },
    resumeEndpoint: async (accountId, id, version, audit) => {
      const shard = shardOf(accountId);
      return isUuid(id) && change(shard, audit, (own) => own(resume, { accountId, id, shard, version }));
    },
    deleteEndpoint: async (accountId, id, audit) => {
      const shard = shardOf(accountId);
      return isUuid(id) && change(shard, audit, (own) => own(remove, { accountId, id, shard }));
    },
  };
};
