import { type ParentPropagation, shardOf } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { fence, isMember, plannedAnew, wakes, workerId } from '../database/fragments.ts';
import { rows, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { copy, dispatchedEvents } from '../events/event-columns.ts';
import { objectHashIn } from '../events/object-hash.ts';

type Propagated = Parameters<ParentPropagation['propagate']>[1][number];

const parentShard = ({ parentId }: Propagated): number | null => (parentId === undefined ? null : shardOf(parentId));

const events = rows('events', {
  shard: ['int', ({ shard }: Propagated) => shard],
  account_id: ['text', ({ accountId }: Propagated) => accountId],
  position: ['bigint', ({ position }: Propagated) => position],
  parent_id: ['text', ({ parentId }: Propagated) => parentId ?? null],
  parent_shard: ['int', parentShard],
});

/** The shards of the parents. */
const woken = value('woken', 'text');

/** A parent has at most one copy of an event: the statement that removes the event creates it. */
const copyToParents = statement`with ${fence}, given as materialized (
    select * from ${events.few('g', 'nth')}
  ), taken as (
    delete from ${t.parent_propagation} p using given g
    where p.shard = g.shard and p.account_id = g.account_id and p.position = g.position and ${isMember}
    returning p.account_id, p.event_id, g.parent_id, g.parent_shard, g.nth
  ), copied as (
    insert into ${t.events} (account_id, stored_at, ${copy.names})
    select t.parent_id, clock_timestamp(), ${copy.values}
    from taken t cross join lateral (
      select * from ${dispatchedEvents} where e.account_id = t.account_id and e.id = t.event_id offset 0
    ) e
    where t.parent_id is not null
      and (select true from ${t.events} c where c.account_id = t.parent_id and c.id = t.event_id limit 1) is null
    returning account_id, id, object_id
  ), placed as (
    insert into ${t.outbox} (shard, account_id, event_id, object_hash)
    select t.parent_shard, c.account_id, c.id, ${objectHashIn('t.parent_shard', 'c.account_id', 'c.object_id')}
    from copied c join taken t on t.parent_id = c.account_id and t.event_id = c.id order by t.nth
  )
  select ${isMember}::text as member where (${woken} = '' or ${wakes(woken)}) and ${plannedAnew(workerId)}`;

/** Propagates events. */
export const propagate =
  <Tx extends object>({ run }: Database<Tx>): ParentPropagation['propagate'] =>
  async (workerId, events) => {
    const shards = new Set(events.map(parentShard).filter((shard) => shard !== null));
    const [row] = await run(copyToParents, { workerId, events, woken: [...shards].join(',') });
    return row?.['member'] === 'true' ? 'stored' : 'fenced';
  };
