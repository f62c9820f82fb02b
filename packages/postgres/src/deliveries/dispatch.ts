import type { DeliveryStore, EventDispatch } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { fence, isMember, moment, ownShards, plannedAnew, workerId } from '../database/fragments.ts';
import { type Columns, rows, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { insertPending } from './pending.ts';

/** The earliest time of dispatch. */
export const notBefore = moment(value('notBefore', 'float8'));

/** Inserts the dispatches of rows `taken` of the outbox. Their positions have the order of publication. */
export const insertTaken = sql`
    insert into ${t.dispatches} (account_id, shard, event_id, object_hash, dispatched_at, timestamp, endpoints)
    select account_id, shard, event_id, object_hash, greatest(now(), ${notBefore}), timestamp, endpoints::uuid[]
    from taken order by position`;

const keyColumns: Columns<EventDispatch> = {
  shard: ['int', ({ event }) => event.shard],
  account_id: ['text', ({ event }) => event.accountId],
  position: ['bigint', ({ event }) => event.position],
};
const events = rows<'events', EventDispatch>('events', {
  ...keyColumns,
  timestamp: ['bigint', ({ timestamp }) => timestamp],
  endpoints: ['text', ({ endpointIds }) => `{${endpointIds.join(',')}}`],
});
const propagated = rows<'propagated', EventDispatch>('propagated', {
  ...keyColumns,
  object_name: ['text', ({ event }) => event.objectName],
  type: ['text', ({ event }) => event.type],
});

const take = sql`with ${fence}, taken as (
    delete from ${t.outbox} o using ${events.few('g')}
    where o.shard = g.shard and o.account_id = g.account_id and o.position = g.position
      and g.shard = any (${ownShards}) and ${isMember} and ${plannedAnew(workerId)}
    returning o.*, g.timestamp, g.endpoints
  ), stored as (${insertTaken})`;

const answer = `select ${isMember}::text as member`;

const dispatchEvents = statement`${take} ${answer}`;

const dispatchAll = statement`${take}, propagated as (
    insert into ${t.parent_propagation} (account_id, shard, event_id, object_name, type)
    select o.account_id, o.shard, o.event_id, g.object_name, g.type
    from taken o join ${propagated.as('g', 'nth')}
      on o.shard = g.shard and o.account_id = g.account_id and o.position = g.position
    order by g.nth
  ), waiting as (${insertPending} and p.shard = any (${ownShards}) on conflict do nothing)
  ${answer}`;

/** Dispatches events. */
export const dispatch =
  <Tx extends object>({ run }: Database<Tx>): DeliveryStore['dispatch'] =>
  async (workerId, events, pending, notBefore) => {
    const propagated = events.filter(({ propagates }) => propagates);
    const values = { workerId, notBefore, events };
    const [row] = await (propagated.length === 0 && pending.length === 0
      ? run(dispatchEvents, values)
      : run(dispatchAll, { ...values, propagated, pending }));
    return row?.['member'] === 'true' ? 'stored' : 'fenced';
  };
