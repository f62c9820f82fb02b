import type { AnnouncedDispatch, DeliveryStore } from '@partnerkit/core/ports';
import type { Database, SqlColumn } from './database.ts';
import { insertMoved } from './dispatch.ts';
import { dispatchedEventOf, eventColumns } from './dispatched-event.ts';
import { fence, isMember, keys, moment, ms, plannedAnew } from './fragments.ts';
import { hasIncludeChildren } from './store-state.ts';

const columnsOf = (events: readonly AnnouncedDispatch[]): readonly SqlColumn[] => [
  events.map(({ event }) => event.shard),
  events.map(({ event }) => event.accountId),
  events.map(({ event }) => event.id),
  events.map(({ timestamp }) => timestamp),
  events.map(({ endpointIds }) => `{${endpointIds.join(',')}}`),
  events.map(({ endpointVersion }) => endpointVersion),
  events.map(({ event }) => event.objectName),
  events.map(({ event }) => event.objectId),
  events.map(({ event }) => event.type),
  events.map(({ event }) => event.storedAt),
  events.map(({ event }) => event.occurredAt ?? null),
];

const types = {
  shard: 'int',
  account_id: 'text',
  id: 'uuid',
  timestamp: 'bigint',
  endpoints: 'text',
  version: 'bigint',
  object_name: 'text',
  object_id: 'text',
  type: 'text',
  stored_at: 'float8',
  occurred_at: 'float8',
};
const given = `unnest(${Object.values(types)
  .map((type, nth) => keys(`$${3 + nth}`, type))
  .join(', ')}) as g(${Object.keys(types).join(', ')})`;

/** Whether a row of the outbox is what was announced: any role of the database can send notifications. */
const isAsAnnounced = `o.id = g.id and o.object_name = g.object_name and o.object_id = g.object_id and o.type = g.type
      and ${ms('o.stored_at')} = g.stored_at and ${ms('o.occurred_at')} is not distinct from g.occurred_at
      and o.only_to is null and o.origin is null`;

/** The last timestamps of an object and of pruned events. */
const last = `greatest(
      (select e.timestamp from partnerkit.events e where e.account_id = f.account_id and e.object_id = f.object_id
        order by e.timestamp desc limit 1),
      (select s.pruned_timestamp from partnerkit.shards s where s.shard = f.shard), -1)`;

const columns = Object.entries({ account: 'e.account_id', ...eventColumns }).map(
  ([name, expression]) => `${expression} as ${name}`,
);

/** Dispatches announced events, and reads them. @internal */
export const dispatchAnnounced = <Tx extends object>({
  sql,
  run,
}: Database<Tx>): NonNullable<DeliveryStore['dispatchAnnounced']> => {
  const write = sql(`with ${fence}, given as materialized (select * from ${given}), first as (
    select g.*, o.position from given g cross join lateral (
      select * from partnerkit.outbox o where o.shard = g.shard and o.account_id = g.account_id order by o.position limit 1
    ) o where ${isAsAnnounced} and ${plannedAnew('$1')}
  ), moved as (
    delete from partnerkit.outbox o using first f
    where o.shard = f.shard and o.account_id = f.account_id and o.position = f.position and ${isMember} and f.timestamp > ${last}
      and f.version = (select v.version from partnerkit.endpoint_versions v where v.shard = f.shard) and not ${hasIncludeChildren}
    returning o.*, f.timestamp, f.endpoints::uuid[] as endpoints
  ), stored as (${insertMoved} returning *), known as (
    select * from stored
    union all
    select e.* from given g join partnerkit.events e on e.account_id = g.account_id and e.id = g.id
    where e.timestamp = g.timestamp and e.dispatched_at >= ${moment('$2')} and ${isMember}
  )
  select m.member::text as member, ${columns.join(', ')} from (select ${isMember} as member) m left join known e on true`);
  return async (workerId, events, notBefore) => {
    const rows = await run(write, [workerId, notBefore, ...columnsOf(events)]);
    if (rows[0]?.['member'] !== 'true') return 'fenced';
    const found = rows.filter((row) => row['account'] !== null);
    return found.map((row) => dispatchedEventOf(row, String(row['account'])));
  };
};
