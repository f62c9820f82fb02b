import type { DeliveryStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { fence, isMember, isSince, moment, plannedAnew, workerId } from '../database/fragments.ts';
import { rows, sql, statement } from '../database/statement.ts';
import { t } from '../database/tables.ts';

/** Whether a delivery `d` (account_id, event_id, endpoint_id) created by dispatch is neither logged nor pending. */
export const isUnknown = sql`(select true from ${t.attempts} a
      where a.account_id = d.account_id and a.event_id = d.event_id and a.endpoint_id = d.endpoint_id and a.replay = 0 limit 1) is null
    and (select true from ${t.pending} p
      where p.account_id = d.account_id and p.event_id = d.event_id and p.endpoint_id = d.endpoint_id and p.replay = 0 limit 1) is null`;

type Recovered = Parameters<DeliveryStore['recover']>[1][number];

const shards = rows('shards', {
  shard: ['int', ({ shard }: Recovered) => shard],
  watermark: ['float8', ({ watermark }: Recovered) => watermark],
  was_abandoned: ['boolean', ({ wasAbandoned }: Recovered) => wasAbandoned],
});

const takeOver = statement`with ${fence}, given as materialized (
    select * from ${shards.as('g')}
  ), recovered as (
    update ${t.shards} s set is_recovered = true from given g
    where s.shard = g.shard and s.owner = ${workerId} and not s.is_recovered and ${isMember}
  ), stored as (
    insert into ${t.pending} (account_id, event_id, endpoint_id, replay, shard, state, due_at, attempts, logged, is_abandoned, is_urgent, since)
    select d.account_id, d.event_id, d.endpoint_id, 0, d.shard, 'queued', d.dispatched_at, 0, 0, d.was_abandoned, false, now()
    from (
      select e.account_id, e.event_id, unnest(e.endpoints) as endpoint_id, e.shard, e.dispatched_at, g.was_abandoned
      from given g cross join lateral (
        select * from ${t.dispatches} where shard = g.shard and ${isSince(moment('g.watermark'))} offset 0
      ) e
    ) d where ${isMember} and ${isUnknown}
    on conflict do nothing
  ), marked as (
    update ${t.pending} p set is_abandoned = true from given g
    where g.was_abandoned and p.shard = g.shard and p.state = 'scheduled' and p.due_at <= now() and not p.is_abandoned and ${isMember}
  )
  select ${isMember}::text as member where ${plannedAnew(workerId)}`;

/** Takes over shards. */
export const recover =
  <Tx extends object>({ run }: Database<Tx>): DeliveryStore['recover'] =>
  async (workerId, shards) => {
    const [row] = await run(takeOver, { workerId, shards });
    return row?.['member'] === 'true' ? 'stored' : 'fenced';
  };
