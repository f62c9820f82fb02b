import type { DeliveryStore, EventDispatch } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import {
  feedsPrefix,
  fence,
  isMember,
  moment,
  ms,
  notify,
  ownShards,
  plannedAnew,
  workerId,
} from '../database/fragments.ts';
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

/** What identifies the event of an item in the outbox. */
const keyColumns: Columns<Pick<EventDispatch, 'event'>> = {
  shard: ['int', ({ event }) => event.shard],
  account_id: ['text', ({ event }) => event.accountId],
  position: ['bigint', ({ event }) => event.position],
};
/** The taken event of an item. */
const isTaken = 'o.shard = g.shard and o.account_id = g.account_id and o.position = g.position';
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
    where ${isTaken} and g.shard = any (${ownShards}) and ${isMember} and ${plannedAnew(workerId)}
    returning o.*, g.timestamp, g.endpoints
  ), stored as (${insertTaken})`;

const answer = `select ${isMember}::text as member`;

const dispatchEvents = statement`${take} ${answer}`;

/** An event that joins the feed of a pull endpoint. */
interface Joining extends Pick<EventDispatch, 'event'> {
  readonly endpointId: string;
}
const joining = rows<'joining', Joining>('joining', {
  ...keyColumns,
  endpoint_id: ['uuid', ({ endpointId }) => endpointId],
});

/**
 * CTEs that append the taken events to feeds. Rows of feeds are locked in the order of their keys, as pruning locks
 * them, and stay locked until the commit: numbers are committed in their order.
 */
const append = sql`joined as materialized (
    select o.account_id, g.endpoint_id, o.event_id, o.position
    from taken o join ${joining.as('g')} on ${isTaken}
  ), locked as materialized (
    select f.account_id, f.endpoint_id from ${t.feeds} f
    where (f.account_id, f.endpoint_id) in (select account_id, endpoint_id from joined)
    order by f.account_id, f.endpoint_id for update
  ), numbered as (
    update ${t.feeds} f set last = f.last + j.count
    from (select account_id, endpoint_id, count(*) from joined group by account_id, endpoint_id) j join locked l using (account_id, endpoint_id)
    where f.account_id = j.account_id and f.endpoint_id = j.endpoint_id
    returning f.account_id, f.endpoint_id, f.last
  ), appended as (
    insert into ${t.feed_entries} (account_id, endpoint_id, event_id, number)
    select j.account_id, j.endpoint_id, j.event_id,
      f.last + 1 - row_number() over (partition by j.account_id, j.endpoint_id order by j.position desc)
    from joined j join numbered f on f.account_id = j.account_id and f.endpoint_id = j.endpoint_id
    returning account_id
  )`;

/** An event that a handler of the host receives. */
interface Handled extends Pick<EventDispatch, 'event'> {
  readonly handler: string;
}
const handled = rows<'handled', Handled>('handled', {
  ...keyColumns,
  handler: ['text', ({ handler }) => handler],
});

/** A CTE that makes deliveries to handlers. A handler that is being removed stays until the commit, or gets none. */
const deliver = sql`handled as (
    insert into ${t.handler_deliveries} (account_id, event_id, handler, state, due_at, attempts, log)
    select o.account_id, o.event_id, h.name, 'waiting', ${ms('now()')}, 0, '[]'
    from taken o join ${handled.as('g')} on ${isTaken}
      join (select name from ${t.handlers} for key share) h on h.name = g.handler
    on conflict do nothing
  )`;

const dispatchHandled = statement`${take}, ${deliver} ${answer}`;

const dispatchAll = statement`${take}, ${append}, ${deliver}, propagated as (
    insert into ${t.parent_propagation} (account_id, shard, event_id, object_name, type)
    select o.account_id, o.shard, o.event_id, g.object_name, g.type
    from taken o join ${propagated.as('g', 'nth')} on ${isTaken}
    order by g.nth
  ), waiting as (${insertPending} and p.shard = any (${ownShards}) on conflict do nothing)
  ${answer}, (select ${notify(value('feeds', 'text'))}::text from appended limit 1) as woken`;

/** Wakes readers of these feeds. */
const feedsPayload = (joining: readonly Joining[]): string =>
  `${feedsPrefix}${[...new Set(joining.map(({ event }) => event.shard))].join(',')}`;

/** Dispatches events. */
export const dispatch =
  <Tx extends object>({ run }: Database<Tx>): DeliveryStore['dispatch'] =>
  async (workerId, events, pending, notBefore) => {
    const propagated = events.filter(({ propagates }) => propagates);
    const joining = events.flatMap(({ event, pullEndpointIds = [] }) =>
      pullEndpointIds.map((endpointId) => ({ event, endpointId })),
    );
    const handled = events.flatMap(({ event, handlers = [] }) => handlers.map((handler) => ({ event, handler })));
    const values = { workerId, notBefore, events };
    const [row] = await (propagated.length > 0 || pending.length > 0 || joining.length > 0
      ? run(dispatchAll, { ...values, propagated, pending, joining, handled, feeds: feedsPayload(joining) })
      : handled.length > 0
        ? run(dispatchHandled, { ...values, handled })
        : run(dispatchEvents, values));
    return row?.['member'] === 'true' ? 'stored' : 'fenced';
  };
