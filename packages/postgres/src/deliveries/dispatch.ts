import type { DeliveryStore, EventDispatch, PendingChange } from '@partnerkit/core/ports';
import type { Database, SqlColumn } from '../database/database.ts';
import { fence, isMember, keys, moment, plannedAnew } from '../database/fragments.ts';
import { insertPending, pendingColumns } from './pending.ts';

const keyColumns = (events: readonly EventDispatch[]): readonly SqlColumn[] => [
  events.map(({ event }) => event.shard),
  events.map(({ event }) => event.accountId),
  events.map(({ event }) => event.position),
];
const eventColumns = (events: readonly EventDispatch[]): readonly SqlColumn[] => [
  ...keyColumns(events),
  events.map(({ timestamp }) => timestamp),
  events.map(({ endpointIds }) => `{${endpointIds.join(',')}}`),
];

const given = `unnest(${keys('$3', 'int')}, ${keys('$4', 'text')}, ${keys('$5', 'bigint')}, ${keys('$6', 'bigint')}, ${keys('$7', 'text')})
      as g(shard, account_id, position, timestamp, endpoints)`;

/** Inserts the rows of `moved`; `$2` is the earliest time of dispatch. @internal */
export const insertMoved = `
    insert into partnerkit.events (account_id, id, shard, object_name, object_id, type, occurred_at, dispatched_at, timestamp, endpoints,
      idempotency_key, body_tail, trace_context, only_to, origin)
    select account_id, id, shard, object_name, object_id, type, occurred_at, greatest(now(), ${moment('$2')}), timestamp, endpoints,
      idempotency_key, body_tail, trace_context, only_to, origin
    from moved`;

const move = `with ${fence}, moved as (
    delete from partnerkit.outbox o using ${given}
    where o.shard = g.shard and o.account_id = g.account_id and o.position = g.position and ${isMember} and ${plannedAnew('$1')}
    returning o.*, g.timestamp, g.endpoints::uuid[] as endpoints
  ), stored as (${insertMoved})`;

const answer = `select ${isMember}::text as member`;

/** Dispatches events. @internal */
export const dispatch = <Tx extends object>({ sql, run }: Database<Tx>): DeliveryStore['dispatch'] => {
  const dispatchEvents = sql(`${move} ${answer}`);
  const dispatchAll = sql(`${move}, propagated as (
      insert into partnerkit.parent_propagation (account_id, shard, event_id, object_name, type)
      select m.account_id, m.shard, m.id, m.object_name, m.type
      from moved m join unnest($8::int[], $9::text[], $10::bigint[]) with ordinality as g(shard, account_id, position, nth)
        on m.shard = g.shard and m.account_id = g.account_id and m.position = g.position
      order by g.nth
    ), waiting as (${insertPending(11)} on conflict do nothing)
    ${answer}`);

  const write = (
    workerId: string,
    events: readonly EventDispatch[],
    pending: readonly PendingChange[],
    notBefore: number,
  ) => {
    const values = [workerId, notBefore, ...eventColumns(events)];
    const propagated = events.filter(({ propagates }) => propagates);
    if (propagated.length === 0 && pending.length === 0) return run(dispatchEvents, values);
    return run(dispatchAll, [...values, ...keyColumns(propagated), ...pendingColumns(pending)]);
  };

  return async (workerId, events, pending, notBefore) => {
    const [row] = await write(workerId, events, pending, notBefore);
    return row?.['member'] === 'true' ? 'stored' : 'fenced';
  };
};
