import { type DeliveryLog, firstIdAt, type ReplayOutcome, shardOf } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { plannedAnew, wakes } from '../database/fragments.ts';
import { isUuid } from '../database/uuid.ts';
import { isFresh, nextReplay } from './send-again.ts';

/** Maximum number of events per call, which keeps the transaction short. */
const batch = 500;

/** Makes changes of the endpoint and other replays in the shard wait. */
const lockShard = 'select version::text as version from partnerkit.endpoint_versions where shard = $1::int for update';

const findEndpoint = 'select state from partnerkit.endpoints where account_id = $1 and id = $2::uuid';

/** None of these events is pruned or sent again before the commit. */
const lockEvents = `select id::text as event, (only_to is null and exists (
      select from partnerkit.endpoints p where p.account_id = e.account_id and p.id = $2::uuid
        and p.events && array[e.type, e.object_name || '.' || e.type] and (e.origin is null or p.include_children)
    ))::text as wanted
  from partnerkit.events e where account_id = $1 and id > $3::uuid and id < $4::uuid and ${plannedAnew('$1::text')}
  order by id limit ${batch} for no key update of e`;

/**
 * Sees commits made before the events were locked. Replayed deliveries are queued behind all others of their endpoint.
 */
const insert = `with made as (
    insert into partnerkit.pending (account_id, event_id, endpoint_id, replay, shard, state, due_at, attempts, logged, is_abandoned, is_urgent, since)
    select d.account_id, d.event_id, d.endpoint_id, ${nextReplay}, $4::int, 'queued', 'infinity', 0, 0, false, false, now()
    from (select $1::text as account_id, g.id as event_id, $2::uuid as endpoint_id from unnest($3::uuid[]) g(id)) d
    where (
        select true from partnerkit.pending p where p.account_id = d.account_id and p.event_id = d.event_id and p.endpoint_id = d.endpoint_id limit 1
      ) is null and not (${isFresh}) and ${plannedAnew('$1::text')}
    returning event_id
  ), raised as (
    update partnerkit.endpoint_versions set version = version + 1 where shard = $4::int and exists (select from made)
  )
  select (select count(*) from made)::int as made where not exists (select from made) or ${wakes('$4::text')}`;

/** Replays one batch of events. @internal */
export const replay = <Tx extends object>({ sql, shortTransaction }: Database<Tx>): DeliveryLog['replay'] => {
  const [lock, find, walk, add] = [sql(lockShard), sql(findEndpoint), sql(lockEvents), sql(insert)];
  return async (accountId, endpointId, { from, to, after }) => {
    if (!isUuid(endpointId)) return { kind: 'not_found' };
    if (after !== undefined && !isUuid(after)) return { kind: 'invalid_cursor' };
    const shard = shardOf(accountId);
    return shortTransaction(async (own): Promise<ReplayOutcome> => {
      await own(lock, [shard]);
      const [endpoint] = await own(find, [accountId, endpointId]);
      if (!endpoint) return { kind: 'not_found' };
      if (endpoint['state'] !== 'enabled') return { kind: 'endpoint_disabled' };
      const low = after === undefined || after < firstIdAt(from) ? firstIdAt(from) : after;
      const events = await own(walk, [accountId, endpointId, low, firstIdAt(to)]);
      const wanted = events.filter((row) => row['wanted'] === 'true').map((row) => String(row['event']));
      const [row] = wanted.length > 0 ? await own(add, [accountId, endpointId, wanted, shard]) : [];
      const next = events.length === batch ? String(events.at(-1)?.['event']) : undefined;
      return { kind: 'replayed', deliveries: Number(row?.['made'] ?? 0), ...(next === undefined ? {} : { next }) };
    });
  };
};
