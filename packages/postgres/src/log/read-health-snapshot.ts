import type { HealthSnapshot, StoredWorker, TableSize, TroubledEndpoint } from '@partnerkit/core';
import { type DeliveryLog, maxCounted, maxCountedOfEndpoint, maxTroubled } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { ms, plannedAnew } from '../database/fragments.ts';
import { type Part, sql, statement, value, withSchema } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { firstDue, itsEndpoint, maxEndpoints, nextEndpoint } from './count-backlog.ts';

/** An endpoint `n` with pending deliveries, the state of its endpoint, and when the first of them is due. */
const visited = (nth: string) =>
  sql`select n.*, ${nth} as nth, e.state, least(${firstDue('queued')}, ${firstDue('scheduled')}) as due_at`;

/** The first endpoints of a list. `list` says which comes first of those with the same place. */
const firstOf = <const P extends Part>(list: number, order: string, from: P) => sql`(
      select account_id, endpoint_id, ${list} as list, row_number() over (order by ${order}, account_id, endpoint_id) as place
      from ${from} order by place limit ${maxTroubled})`;

const age = (time: string) => sql`greatest(${ms('now()')} - ${ms(time)}, 0)::float8`;

const endpoints = sql`(select json_agg(json_build_object('accountId', c.account_id, 'endpointId', c.endpoint_id,
      'failures', coalesce(h.failures, 0), 'failingSince', ${ms('h.failing_since')},
      'pausedUntil', case when greatest(h.open_until, h.retry_after_until) > now()
        then ${ms('greatest(h.open_until, h.retry_after_until)')} end,
      'disabledBy', case when e.state <> 'enabled' then coalesce(e.disabled_by, 'partner') end,
      'unfinished', (select count(*) from (
        select 1 from ${t.pending} p where p.shard = n.shard and p.account_id = n.account_id and p.endpoint_id = n.endpoint_id
        limit ${maxCountedOfEndpoint}) counted),
      'oldestDue', case when n.due_at <= now() then ${age('n.due_at')} end) order by c.place, c.list)
    from chosen c left join ${t.health} h on h.account_id = c.account_id and h.endpoint_id = c.endpoint_id
      left join ${t.endpoints} e on e.account_id = c.account_id and e.id = c.endpoint_id
      left join visits n on n.account_id = c.account_id and n.endpoint_id = c.endpoint_id)::text`;

const workers = sql`(select json_agg(json_build_object('id', w.id, 'isStopping', w.is_stopping,
      'shards', (select count(*) from ${t.shards} where owner = w.id and w.expires_at > now()),
      'leaseLeft', greatest(ceil(extract(epoch from w.expires_at - now()) * 1000), 0)::float8) order by w.id)
    from ${t.workers} w)::text`;

/** Days of a partitioned table count as the table. Estimates of the last ANALYZE; -1: there was none. */
const tables = sql`(select json_agg(json_build_object('name', name, 'rows', rows, 'bytes', bytes) order by bytes desc, name) from (
      select coalesce(whole.relname, c.relname) as name, sum(greatest(c.reltuples, 0))::float8 as rows,
        sum(pg_total_relation_size(c.oid))::float8 as bytes
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class whole on whole.oid = i.inhparent
      where c.relkind = 'r' and c.relnamespace = ${withSchema((schema) => `'"${schema}"'`)}::regnamespace
      group by 1 order by 3 desc, 1 limit ${maxTroubled}) sizes)::text`;

/** Of the outbox, as many rows as are counted; of other tables, those of failing and unfinished work. */
const read = statement`with recursive visits as (
      (${visited('1')} from (${nextEndpoint('true')}) n ${itsEndpoint})
      union all
      (${visited('v.nth + 1')} from visits v cross join lateral (
        ${nextEndpoint('(p.shard, p.account_id, p.endpoint_id) > (v.shard, v.account_id, v.endpoint_id)')}
      ) n ${itsEndpoint} where v.nth < ${maxEndpoints})
    ), failing as materialized (
      select account_id, endpoint_id, failing_since from ${t.health} limit ${maxCounted}
    ), candidates as (
      ${firstOf(1, 'failing_since', sql`failing`)}
      union all ${firstOf(2, 'due_at', sql`visits where state = 'disabled_by_breaker'`)}
      union all ${firstOf(3, 'due_at', sql`visits where state = 'enabled' and due_at <= now()`)}
    ), chosen as materialized (
      select account_id, endpoint_id, min(place) as place, min(list) as list from (
        select distinct on (account_id, endpoint_id) * from candidates order by account_id, endpoint_id, place, list
      ) best group by account_id, endpoint_id order by 3, 4 limit ${maxTroubled}
    ), oldest as (
      select account_id, event_id from (select account_id, event_id from ${t.outbox} limit ${maxCounted}) o
      order by event_id limit 1
    )
    select ${ms('now()')}::float8 as now,
      (select ${age('e.stored_at')} from oldest o join ${t.events} e on e.account_id = o.account_id and e.id = o.event_id) as oldest,
      ${workers} as workers, (select count(*) from failing)::int as failing, ${endpoints} as endpoints, ${tables} as tables,
      (select count(*) from ${t.shards} s where not exists (
        select 1 from ${t.workers} w where w.id = s.owner and w.expires_at > now()))::int as free
    where ${plannedAnew(value('shard', 'int'))}`;

/** Fields that are null are absent. */
const list = <T>(json: unknown): readonly T[] =>
  json == null
    ? []
    : JSON.parse(String(json), (_, value) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
          : value,
      );

/** Reads the health of the store by one statement. */
export const readHealthSnapshot =
  <Tx extends object>({ run }: Database<Tx>): DeliveryLog['readHealthSnapshot'] =>
  async (): Promise<HealthSnapshot> => {
    const [row] = await run(read, { shard: 0 });
    const oldest = row?.['oldest'];
    return {
      now: Number(row?.['now']),
      ...(oldest == null ? {} : { oldestUndispatched: Number(oldest) }),
      workers: list<StoredWorker>(row?.['workers']),
      freeShards: Number(row?.['free']),
      failingEndpoints: Number(row?.['failing']),
      endpoints: list<TroubledEndpoint>(row?.['endpoints']),
      tables: list<TableSize>(row?.['tables']),
    };
  };
