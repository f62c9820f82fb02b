import { type DeliveryLog, firstIdAt, type ReplayOutcome, shardOf } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { plannedAnew, wakes } from '../database/fragments.ts';
import { sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { isUuid } from '../database/uuid.ts';
import { raiseVersions } from '../endpoints/raise-versions.ts';
import { isFresh, nextReplay } from './send-again.ts';

/** Maximum number of events per call, which keeps the transaction short. */
const batch = 500;

const [accountId, endpointId] = [value('accountId', 'text'), value('endpointId', 'uuid')];
const shard = value('shard', 'int');

/** Makes changes of the endpoint and other replays in the shard wait. */
const lockShard = statement`select version::text as version from ${t.endpoint_versions} where shard = ${shard} for update`;

const findEndpoint = statement`select state from ${t.endpoints} where account_id = ${accountId} and id = ${endpointId}`;

/** None of these events is pruned or sent again before the commit. */
const lockEvents = statement`select id::text as event, (only_to is null and exists (
      select from ${t.endpoints} p where p.account_id = e.account_id and p.id = ${endpointId}
        and p.events && array[e.type, e.object_name || '.' || e.type] and (e.origin is null or p.include_children)
    ))::text as wanted
  from ${t.events} e where account_id = ${accountId} and id > ${value('low', 'uuid')} and id < ${value('high', 'uuid')} and ${plannedAnew(accountId)}
  order by id limit ${batch} for no key update of e`;

/**
 * Sees commits made before the events were locked. Replayed deliveries are queued behind all others of their endpoint.
 */
const insert = statement`with made as (
    insert into ${t.pending} (account_id, event_id, endpoint_id, replay, shard, state, due_at, attempts, logged, is_abandoned, is_urgent, since)
    select d.account_id, d.event_id, d.endpoint_id, ${nextReplay}, ${shard}, 'queued', 'infinity', 0, 0, false, false, now()
    from (select ${accountId} as account_id, g.id as event_id, ${endpointId} as endpoint_id from unnest(${value('events', 'uuid[]')}) g(id)) d
    where (
        select true from ${t.pending} p where p.account_id = d.account_id and p.event_id = d.event_id and p.endpoint_id = d.endpoint_id limit 1
      ) is null and not (${isFresh}) and ${plannedAnew(accountId)}
    returning event_id
  ), ${raiseVersions(sql`select ${shard} from made`, '0')}
  select (select count(*) from made)::int as made where not exists (select from made) or ${wakes(sql`${shard}::text`)}`;

/** Replays one batch of events. @internal */
export const replay =
  <Tx extends object>({ shortTransaction }: Database<Tx>): DeliveryLog['replay'] =>
  async (accountId, endpointId, { from, to, after }) => {
    if (!isUuid(endpointId)) return { kind: 'not_found' };
    if (after !== undefined && !isUuid(after)) return { kind: 'invalid_cursor' };
    const shard = shardOf(accountId);
    return shortTransaction(async (own): Promise<ReplayOutcome> => {
      await own(lockShard, { shard });
      const [endpoint] = await own(findEndpoint, { accountId, endpointId });
      if (!endpoint) return { kind: 'not_found' };
      if (endpoint['state'] !== 'enabled') return { kind: 'endpoint_disabled' };
      const low = after === undefined || after < firstIdAt(from) ? firstIdAt(from) : after;
      const found = await own(lockEvents, { accountId, endpointId, low, high: firstIdAt(to) });
      const wanted = found.filter((row) => row['wanted'] === 'true').map((row) => String(row['event']));
      const [row] = wanted.length > 0 ? await own(insert, { accountId, endpointId, events: wanted, shard }) : [];
      const next = found.length === batch ? String(found.at(-1)?.['event']) : undefined;
      return { kind: 'replayed', deliveries: Number(row?.['made'] ?? 0), ...(next === undefined ? {} : { next }) };
    });
  };
