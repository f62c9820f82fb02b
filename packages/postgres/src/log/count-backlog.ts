import type { Backlog } from '@partnerkit/core';
import { type DeliveryLog, maxCounted, shardOf } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { isSince, plannedAnew } from '../database/fragments.ts';
import { inQueueOrder } from '../deliveries/pending.ts';
import { isUnknown } from '../deliveries/recover.ts';

/** Maximum number of endpoints with pending deliveries to count, in the order of their keys. */
const maxEndpoints = 1_000;

const nextEndpoint = (where: string): string => `select p.shard, p.account_id, p.endpoint_id from partnerkit.pending p
        where ${where} order by shard, ${inQueueOrder} limit 1`;

const countOf = (state: string): string => `case when e.state ${state} then (
        select count(*) from (
          select from partnerkit.pending p
          where p.shard = n.shard and p.account_id = n.account_id and p.endpoint_id = n.endpoint_id limit ${maxCounted}) counted) else 0 end`;

const firstDue = (state: string): string => `(select due_at from partnerkit.pending p
          where p.shard = n.shard and p.account_id = n.account_id and p.endpoint_id = n.endpoint_id and p.state = '${state}'
          order by due_at limit 1)`;

/** An endpoint `n` with pending deliveries: how many are waiting or held, and the earliest due time of waiting ones. */
const visited = (
  nth: string,
): string => `select n.*, ${nth} as nth, ${countOf("= 'enabled'")} as waiting, ${countOf("<> 'enabled'")} as held,
        case when e.state = 'enabled' then least(${firstDue('queued')}, ${firstDue('scheduled')}) end as due_at`;
const itsEndpoint = `left join lateral (
        select state from partnerkit.endpoints where account_id = n.account_id and id = n.endpoint_id offset 0
      ) e on true`;

/**
 * Counts are bounded. Pending deliveries are counted per endpoint: each step finds the next endpoint by one index
 * lookup. `$1` is the account, `$2` its shard.
 */
const statement = (ofOne: boolean): string => {
  const account = ofOne ? 'account_id = $1' : 'true';
  const shard = ofOne ? 'shard = $2::int' : 'true';
  return `with recursive visits as (
      (${visited('1')} from (${nextEndpoint(ofOne ? 'p.shard = $2::int and p.account_id = $1' : 'true')}) n ${itsEndpoint})
      union all
      (${visited('v.nth + 1')} from visits v cross join lateral (${nextEndpoint(
        ofOne
          ? 'p.shard = $2::int and p.account_id = $1 and p.endpoint_id > v.endpoint_id'
          : '(p.shard, p.account_id, p.endpoint_id) > (v.shard, v.account_id, v.endpoint_id)',
      )}) n ${itsEndpoint} where v.nth < ${maxEndpoints})
    ), fresh as materialized (
      select d.dispatched_at from (
        select e.account_id, e.id as event_id, unnest(e.endpoints) as endpoint_id, e.dispatched_at from (
          select shard, watermark from partnerkit.shards where ${shard}
        ) s cross join lateral (
          select * from partnerkit.events where shard = s.shard and ${isSince('s.watermark')} order by dispatched_at limit ${maxCounted}
        ) e where ${ofOne ? 'e.account_id = $1' : 'true'} limit ${maxCounted}
      ) d where ${isUnknown}
    ), oldest as (
      select min(due_at) as due_at from (select due_at from visits union all select dispatched_at from fresh) due where due_at <= now()
    )
    select (select count(*) from (
        select from partnerkit.outbox where ${shard} and ${account} limit ${maxCounted}) counted)::int as undispatched,
      least(${maxCounted}, (select coalesce(sum(waiting), 0) from visits) + (select count(*) from fresh))::int as waiting,
      least(${maxCounted}, (select coalesce(sum(held), 0) from visits))::int as held,
      (select (extract(epoch from now() - due_at) * 1000)::float8 from oldest) as oldest
    where ${plannedAnew('$2::int')}`;
};

/** Counts the backlog. @internal */
export const countBacklog = <Tx extends object>({ sql, run }: Database<Tx>): DeliveryLog['countBacklog'] => {
  const [ofOne, ofAll] = [sql(statement(true)), sql(statement(false).replaceAll('$2', '$1'))];
  return async (accountId): Promise<Backlog> => {
    const [row] = await (accountId === undefined ? run(ofAll, [0]) : run(ofOne, [accountId, shardOf(accountId)]));
    const oldest = row?.['oldest'];
    return {
      undispatched: Number(row?.['undispatched']),
      waiting: Number(row?.['waiting']),
      held: Number(row?.['held']),
      ...(oldest == null ? {} : { oldestDue: Number(oldest) }),
    };
  };
};
