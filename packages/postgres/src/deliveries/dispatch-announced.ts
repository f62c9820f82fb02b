import type { AnnouncedEvent, DeliveryStore, DispatchedEvent } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { fence, isMember, ms, plannedAnew, workerId } from '../database/fragments.ts';
import { selectList } from '../database/selection.ts';
import { nullable, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { dispatchedEventOf, dispatchedEvents, dispatchedSelection } from '../events/event-columns.ts';
import { insertTaken, notBefore } from './dispatch.ts';

const columns = selectList(dispatchedSelection);

const [shard, accountId, id] = [value('shard', 'int'), value('accountId', 'text'), value('id', 'uuid')];
const timestamp = value('timestamp', 'bigint');

/** The first event of an account in the outbox, if it is what was announced: any role of the database can notify. */
const isAsAnnounced = sql`o.position = (
      select position from ${t.outbox} where shard = ${shard} and account_id = ${accountId} order by position limit 1
    ) and o.event_id = ${id} and e.account_id = ${accountId} and e.id = ${id} and e.object_name = ${value('objectName', 'text')}
    and e.object_id = ${value('objectId', 'text')} and e.type = ${value('type', 'text')}
    and ${ms('e.stored_at')} = ${value('storedAt', 'float8')} and ${ms('e.occurred_at')} is not distinct from ${nullable('occurredAt', 'float8')}
    and e.only_to is null and e.origin is null`;

/** Whether the worker owns the shard, and the timestamp exceeds those of the object and of pruned events. */
const isOwnAndLater = sql`${timestamp} > coalesce(
      (select timestamp from ${t.dispatches} where object_hash = o.object_hash order by timestamp desc limit 1), -1)
    and ${timestamp} > (select coalesce(pruned_timestamp, -1) from ${t.shards} where shard = ${shard} and owner = ${workerId})`;

const hasSameEndpoints = sql`${value('endpointVersion', 'bigint')} >= (select version from ${t.endpoint_versions} where shard = ${shard})
    and (select include_children = 0 from ${t.endpoint_changes})`;

/** One event a statement, with plain parameters: planning it takes a third of the time that arrays would need. */
const dispatchOne = statement`with ${fence}, taken as (
    delete from ${t.outbox} o using ${t.events} e
    where o.shard = ${shard} and o.account_id = ${accountId} and ${isAsAnnounced} and ${isOwnAndLater} and ${hasSameEndpoints}
      and ${isMember} and ${plannedAnew(workerId)}
    returning o.*, ${timestamp} as timestamp, ${value('endpointIds', 'uuid[]')} as endpoints
  ), stored as (${insertTaken} returning timestamp)
  select (${isMember})::text as member, ${columns} from (select 1) one left join (
    select e.*, d.timestamp from stored d cross join ${t.events} e where e.account_id = ${accountId} and e.id = ${id}
  ) e on true`;

const readStored = statement`select ${columns} from ${dispatchedEvents}
  where e.account_id = ${accountId} and e.id = ${id} and e.timestamp = ${timestamp} and e.dispatched_at >= ${notBefore}
    and ${plannedAnew(accountId)}`;

/** The values of an announced event. */
const announcedOf = ({ shard, accountId, id, objectName, objectId, type, storedAt, occurredAt }: AnnouncedEvent) => {
  return { shard, accountId, id, objectName, objectId, type, storedAt, occurredAt: occurredAt ?? null };
};

/** Dispatches announced events, and reads them. */
export const dispatchAnnounced =
  <Tx extends object>({ run }: Database<Tx>): NonNullable<DeliveryStore['dispatchAnnounced']> =>
  async (workerId, dispatches, notBefore) => {
    const found: DispatchedEvent[] = [];
    for (const { event, timestamp, endpointIds, endpointVersion } of dispatches) {
      const { accountId, id } = event;
      const plan = { timestamp, endpointIds, endpointVersion };
      const [row] = await run(dispatchOne, { workerId, notBefore, ...announcedOf(event), ...plan });
      if (row?.['member'] !== 'true') return 'fenced';
      // It may be stored already, and the response was lost.
      const [known] = row['id'] === null ? await run(readStored, { accountId, id, timestamp, notBefore }) : [row];
      if (known) found.push(dispatchedEventOf(known, accountId));
    }
    return found;
  };
