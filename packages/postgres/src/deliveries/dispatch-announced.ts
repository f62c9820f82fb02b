import type { AnnouncedDispatch, DeliveryStore, DispatchedEvent } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { fence, isMember, moment, ms, plannedAnew } from '../database/fragments.ts';
import type { SqlValue } from '../drivers/driver.ts';
import { dispatchedEventOf, eventColumns } from '../events/dispatched-event.ts';
import { insertMoved } from './dispatch.ts';
import { hasIncludeChildren } from './store-state.ts';

const columns = Object.entries(eventColumns)
  .map(([name, expression]) => `${expression} as ${name}`)
  .join(', ');

/** The first event of an account in the outbox, if it is what was announced: any role of the database can notify. */
const isAsAnnounced = `o.position = (
      select position from partnerkit.outbox where shard = $3::int and account_id = $4::text order by position limit 1
    ) and o.id = $5::uuid and o.object_name = $9::text and o.object_id = $10::text and o.type = $11::text
    and ${ms('o.stored_at')} = $12::float8 and ${ms('o.occurred_at')} is not distinct from $13::float8
    and o.only_to is null and o.origin is null`;

/** Whether the timestamp exceeds those of the object and of pruned events. */
const isLater = `$6::bigint > greatest(
      (select timestamp from partnerkit.events where account_id = $4::text and object_id = $10::text order by timestamp desc limit 1),
      (select pruned_timestamp from partnerkit.shards where shard = $3::int), -1)`;

const hasSameEndpoints = `$8::bigint = (select version from partnerkit.endpoint_versions where shard = $3::int)
    and not ${hasIncludeChildren}`;

/** One event a statement, with plain parameters: planning it takes a third of the time that arrays would need. */
const statement = `with ${fence}, moved as (
    delete from partnerkit.outbox o
    where o.shard = $3::int and o.account_id = $4::text and ${isAsAnnounced} and ${isLater} and ${hasSameEndpoints}
      and ${isMember} and ${plannedAnew('$1::text')}
    returning o.*, $6::bigint as timestamp, $7::uuid[] as endpoints
  ), stored as (${insertMoved} returning *)
  select (${isMember})::text as member, ${columns} from (select) one left join stored e on true`;

const valuesOf = (
  workerId: string,
  { event, timestamp, endpointIds, endpointVersion }: AnnouncedDispatch,
  notBefore: number,
): readonly SqlValue[] => [
  ...[workerId, notBefore, event.shard, event.accountId, event.id, timestamp, `{${endpointIds.join(',')}}`],
  ...[endpointVersion, event.objectName, event.objectId, event.type, event.storedAt, event.occurredAt ?? null],
];

/** Dispatches announced events, and reads them. @internal */
export const dispatchAnnounced = <Tx extends object>({
  sql,
  run,
}: Database<Tx>): NonNullable<DeliveryStore['dispatchAnnounced']> => {
  const dispatchOne = sql(statement);
  const readStored = sql(`select ${columns} from partnerkit.events e where e.account_id = $1 and e.id = $2::uuid
    and e.timestamp = $3::bigint and e.dispatched_at >= ${moment('$4')} and ${plannedAnew('$1::text')}`);
  return async (workerId, dispatches, notBefore) => {
    const found: DispatchedEvent[] = [];
    for (const each of dispatches) {
      const { accountId, id } = each.event;
      const [row] = await run(dispatchOne, valuesOf(workerId, each, notBefore));
      if (row?.['member'] !== 'true') return 'fenced';
      // It may be stored already, and the response was lost.
      const [known] = row['event'] === null ? await run(readStored, [accountId, id, each.timestamp, notBefore]) : [row];
      if (known) found.push(dispatchedEventOf(known, accountId));
    }
    return found;
  };
};
