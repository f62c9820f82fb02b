import type { Backlog } from '@partnerkit/core';
import { type DeliveryLog, maxCounted, shardOf } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { isSince, plannedAnew } from '../database/fragments.ts';
import { type Part, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { inQueueOrder } from '../deliveries/pending.ts';
import { isUnknown } from '../deliveries/recover.ts';

/** Maximum number of endpoints with pending deliveries to count, in the order of their keys. */
export const maxEndpoints = 1_000;

export const nextEndpoint = <const P extends Part>(
  where: P,
) => sql`select p.shard, p.account_id, p.endpoint_id from ${t.pending} p
        where ${where} order by shard, ${inQueueOrder} limit 1`;

/** Counts an endpoint `n` only until all of them together reach the limit. */
const countOf = (state: string, before: string) => sql`case when e.state ${state} then (
        select count(*) from (
          select 1 from ${t.pending} p
          where p.shard = n.shard and p.account_id = n.account_id and p.endpoint_id = n.endpoint_id
          limit greatest(${maxCounted} - ${before}, 0)) counted) else 0 end`;

export const firstDue = (state: string) => sql`(select due_at from ${t.pending} p
          where p.shard = n.shard and p.account_id = n.account_id and p.endpoint_id = n.endpoint_id and p.state = '${state}'
          order by due_at limit 1)`;

/**
 * An endpoint `n` with pending deliveries: how many of it and of those before are waiting or held, and the earliest due
 * time of its waiting ones.
 */
const visited = (nth: string, waiting: string, held: string) => sql`select n.*, ${nth} as nth,
        ${countOf("= 'enabled'", waiting)} + ${waiting} as waiting, ${countOf("<> 'enabled'", held)} + ${held} as held,
        case when e.state = 'enabled' then least(${firstDue('queued')}, ${firstDue('scheduled')}) end as due_at`;
export const itsEndpoint = sql`left join lateral (
        select state from ${t.endpoints} where account_id = n.account_id and id = n.endpoint_id offset 0
      ) e on true`;

const [accountValue, shardValue] = [value('accountId', 'text'), value('shard', 'int')];

/** Conditions on what is counted: one account or all. */
interface Scope<P> {
  readonly shard: P;
  readonly account: P;
  /** The first endpoint `p`. */
  readonly first: P;
  /** An endpoint `p` after `v`. */
  readonly next: P;
}

/**
 * Counts are bounded. Pending deliveries are counted per endpoint: each step finds the next endpoint by one index
 * lookup.
 */
const count = <const P extends Part>({ shard, account, first, next }: Scope<P>) => statement`with recursive visits as (
      (${visited('1', '0', '0')} from (${nextEndpoint(first)}) n ${itsEndpoint})
      union all
      (${visited('v.nth + 1', 'v.waiting', 'v.held')} from visits v cross join lateral (${nextEndpoint(next)}) n ${itsEndpoint} where v.nth < ${maxEndpoints})
    ), fresh as materialized (
      select d.dispatched_at from (
        select e.account_id, e.event_id, unnest(e.endpoints) as endpoint_id, e.dispatched_at from (
          select shard, watermark from ${t.shards} where ${shard}
        ) s cross join lateral (
          select * from ${t.dispatches} where shard = s.shard and ${isSince('s.watermark')} order by dispatched_at limit ${maxCounted}
        ) e where ${account} limit ${maxCounted}
      ) d where ${isUnknown}
    ), oldest as (
      select min(due_at) as due_at from (select due_at from visits union all select dispatched_at from fresh) due where due_at <= now()
    )
    select (select count(*) from (
        select 1 from ${t.outbox} where ${shard} and ${account} limit ${maxCounted}) counted)::int as undispatched,
      least(${maxCounted}, (select coalesce(max(waiting), 0) from visits) + (select count(*) from fresh))::int as waiting,
      least(${maxCounted}, (select coalesce(max(held), 0) from visits))::int as held,
      (select (extract(epoch from now() - due_at) * 1000)::float8 from oldest) as oldest
    where ${plannedAnew(shardValue)}`;

const countOne = count({
  shard: sql`shard = ${shardValue}`,
  account: sql`account_id = ${accountValue}`,
  first: sql`p.shard = ${shardValue} and p.account_id = ${accountValue}`,
  next: sql`p.shard = ${shardValue} and p.account_id = ${accountValue} and p.endpoint_id > v.endpoint_id`,
});

const countAll = count({
  shard: 'true',
  account: 'true',
  first: 'true',
  next: '(p.shard, p.account_id, p.endpoint_id) > (v.shard, v.account_id, v.endpoint_id)',
});

export const countBacklog =
  <Tx extends object>({ run }: Database<Tx>): DeliveryLog['countBacklog'] =>
  async (accountId): Promise<Backlog> => {
    const [row] = await (accountId === undefined
      ? run(countAll, { shard: 0 })
      : run(countOne, { accountId, shard: shardOf(accountId) }));
    const oldest = row?.['oldest'];
    return {
      undispatched: Number(row?.['undispatched']),
      waiting: Number(row?.['waiting']),
      held: Number(row?.['held']),
      ...(oldest == null ? {} : { oldestDue: Number(oldest) }),
    };
  };
