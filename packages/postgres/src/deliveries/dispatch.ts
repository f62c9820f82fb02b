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
const dispatchColumns: Columns<EventDispatch> = {
  ...keyColumns,
  timestamp: ['bigint', ({ timestamp }) => timestamp],
  endpoints: ['text', ({ endpointIds }) => `{${endpointIds.join(',')}}`],
};
/** Who else receives an event, in columns of its row: a second batch would be joined with the first, row by row. */
const handlersColumn: Columns<EventDispatch> = {
  handlers: ['text', ({ handlers = [] }) => `{${handlers.join(',')}}`],
};
const receiverColumns: Columns<EventDispatch> = {
  ...handlersColumn,
  feeds: ['text', ({ pullEndpointIds = [] }) => `{${pullEndpointIds.join(',')}}`],
  parent_object_name: ['text', ({ event, propagates }) => (propagates ? event.objectName : null)],
  parent_type: ['text', ({ event, propagates }) => (propagates ? event.type : null)],
};

/** Takes events from the outbox, as rows with these columns. */
const takeWith = (more: Columns<EventDispatch>) => sql`with ${fence}, taken as (
    delete from ${t.outbox} o using ${rows<'events', EventDispatch>('events', { ...dispatchColumns, ...more }).few('g')}
    where o.shard = g.shard and o.account_id = g.account_id and o.position = g.position
      and g.shard = any (${ownShards}) and ${isMember} and ${plannedAnew(workerId)}
    returning o.*, ${['timestamp', 'endpoints', ...Object.keys(more)].map((name) => `g.${name}`).join(', ')}
  ), stored as (${insertTaken})`;

const answer = `select ${isMember}::text as member`;

const dispatchEvents = statement`${takeWith({})} ${answer}`;

/**
 * CTEs that append the taken events to feeds. Rows of feeds are locked in the order of their keys, as pruning locks
 * them, and stay locked until the commit: numbers are committed in their order.
 */
const append = sql`joined as materialized (
    select account_id, endpoint_id, event_id, position from taken cross join unnest(feeds::uuid[]) as g(endpoint_id)
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

/** CTEs that make deliveries to handlers. A handler that is being removed stays until the commit, or gets none. */
const deliver = sql`known as materialized (select name from ${t.handlers} for key share), handled as (
    insert into ${t.handler_deliveries} (account_id, event_id, handler, state, due_at, attempts, log)
    select account_id, event_id, name, 'waiting', ${ms('now()')}, 0, '[]'
    from taken cross join unnest(handlers::text[]) as g(name) join known using (name)
    order by position on conflict do nothing
  )`;

const dispatchHandled = statement`${takeWith(handlersColumn)}, ${deliver} ${answer}`;

const dispatchAll = statement`${takeWith(receiverColumns)}, ${append}, ${deliver}, propagated as (
    insert into ${t.parent_propagation} (account_id, shard, event_id, object_name, type)
    select account_id, shard, event_id, parent_object_name, parent_type
    from taken where parent_type is not null order by position
  ), waiting as (${insertPending} and p.shard = any (${ownShards}) on conflict do nothing)
  ${answer}, (select ${notify(value('feeds', 'text'))}::text from appended limit 1) as woken`;

/** Wakes readers of the feeds of these events. */
const feedsPayload = (joining: readonly EventDispatch[]): string =>
  `${feedsPrefix}${[...new Set(joining.map(({ event }) => event.shard))].join(',')}`;

/** Dispatches events. */
export const dispatch =
  <Tx extends object>({ run }: Database<Tx>): DeliveryStore['dispatch'] =>
  async (workerId, events, pending, notBefore) => {
    const joining = events.filter(({ pullEndpointIds = [] }) => pullEndpointIds.length > 0);
    const values = { workerId, notBefore, events };
    const [row] = await (pending.length > 0 || joining.length > 0 || events.some(({ propagates }) => propagates)
      ? run(dispatchAll, { ...values, pending, feeds: feedsPayload(joining) })
      : run(events.some(({ handlers = [] }) => handlers.length > 0) ? dispatchHandled : dispatchEvents, values));
    return row?.['member'] === 'true' ? 'stored' : 'fenced';
  };
