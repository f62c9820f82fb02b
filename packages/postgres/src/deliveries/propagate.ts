import { type ParentPropagation, shardOf } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { fence, isMember, keys, plannedAnew, wakes } from '../database/fragments.ts';

/**
 * A parent has at most one copy of an event: the statement that removes the event creates it. `$6` is the parent's
 * shard.
 */
const statement = `with ${fence}, given as materialized (
    select * from unnest(${keys('$2', 'int')}, ${keys('$3', 'text')}, ${keys('$4', 'bigint')}, ${keys('$5', 'text')}, ${keys('$6', 'int')})
      with ordinality as g(shard, account_id, position, parent_id, parent_shard, nth)
  ), taken as (
    delete from partnerkit.parent_propagation p using given g
    where p.shard = g.shard and p.account_id = g.account_id and p.position = g.position and ${isMember}
    returning p.account_id, p.event_id, g.parent_id, g.parent_shard, g.nth
  ), copied as (
    insert into partnerkit.outbox (shard, account_id, id, object_name, object_id, type, occurred_at, stored_at, body_tail, trace_context, origin)
    select t.parent_shard, t.parent_id, e.id, e.object_name, e.object_id, e.type, to_timestamp(e.timestamp), clock_timestamp(), e.body_tail,
      e.trace_context, e.account_id
    from taken t cross join lateral (
      select * from partnerkit.events where account_id = t.account_id and id = t.event_id offset 0
    ) e
    where t.parent_id is not null
      and (select true from partnerkit.events c where c.account_id = t.parent_id and c.id = t.event_id limit 1) is null
    order by t.nth
  )
  select ${isMember}::text as member where ($7 = '' or ${wakes('$7')}) and ${plannedAnew('$1')}`;

/** Propagates events. @internal */
export const propagate = <Tx extends object>({ sql, run }: Database<Tx>): ParentPropagation['propagate'] => {
  const copy = sql(statement);
  return async (workerId, events) => {
    const shards = events.map(({ parentId }) => (parentId === undefined ? null : shardOf(parentId)));
    const [row] = await run(copy, [
      workerId,
      events.map(({ shard }) => shard),
      events.map(({ accountId }) => accountId),
      events.map(({ position }) => position),
      events.map(({ parentId }) => parentId ?? null),
      shards,
      [...new Set(shards)].filter((shard) => shard !== null).join(','),
    ]);
    return row?.['member'] === 'true' ? 'stored' : 'fenced';
  };
};
