import { type DeliveryLog, firstIdAt, type ReplayOutcome, shardOf } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { plannedAnew, wakes } from '../database/fragments.ts';
import { type Part, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { isUuid } from '../database/uuid.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { raiseVersions } from '../endpoints/raise-versions.ts';
import { isFresh, nextReplay } from './send-again.ts';

/** Maximum number of events per call, which keeps the transaction short. */
const batch = 500;

const [accountId, endpointId] = [value('accountId', 'text'), value('endpointId', 'uuid')];
const shard = value('shard', 'int');

/** Makes changes of the endpoint and other replays in the shard wait. */
const lockShard = statement`select version::text as version from ${t.endpoint_versions} where shard = ${shard} for update`;

const findEndpoint = statement`select kind, state from ${t.endpoints} where account_id = ${accountId} and id = ${endpointId}`;

const [low, high] = [value('low', 'uuid'), value('high', 'uuid')];

/** Events of which a delivery to the endpoint failed; it may have been delivered since. */
const findFailed = statement`select distinct event_id::text as event, event_id from ${t.attempts}
  where account_id = ${accountId} and endpoint_id = ${endpointId} and state in ('exhausted', 'expired')
    and event_id > ${low} and event_id < ${high} and ${plannedAnew(accountId)}
  order by event_id limit ${batch}`;

/** The events of a batch. Locked ones are neither pruned nor sent again before the commit. */
const select = <const P extends Part, const L extends Part>(
  which: P,
  locked: L,
) => statement`select d.event_id::text as event, (only_to is null and exists (
      select 1 from ${t.endpoints} p where p.account_id = e.account_id and p.id = ${endpointId}
        and p.events && array[e.type, e.object_name || '.' || e.type] and (e.origin is null or p.include_children)
    ))::text as wanted
  from ${t.dispatches} d cross join lateral (
    select * from ${t.events} where account_id = d.account_id and id = d.event_id offset 0
  ) e where d.account_id = ${accountId} and ${which} and ${plannedAnew(accountId)}
  order by d.event_id limit ${batch} ${locked}`;
const [ofPeriod, ofEvents] = [
  sql`d.event_id > ${low} and d.event_id < ${high}`,
  sql`d.event_id = any(${value('events', 'uuid[]')})`,
];
const lock = sql`for no key update of d`;
const [lockPeriod, lockFailed] = [select(ofPeriod, lock), select(ofEvents, lock)];
const [readPeriod, readFailed] = [select(ofPeriod, sql``), select(ofEvents, sql``)];

const given = sql`(select ${accountId} as account_id, g.id as event_id, ${endpointId} as endpoint_id from unnest(${value('events', 'uuid[]')}) g(id)) d`;
/** No other delivery of the event to the endpoint is unfinished. */
const isFree = sql`(
        select true from ${t.pending} p where p.account_id = d.account_id and p.event_id = d.event_id and p.endpoint_id = d.endpoint_id limit 1
      ) is null and not (${isFresh})`;

/**
 * Sees commits made before the events were locked. Replayed deliveries are queued behind all others of their endpoint.
 */
const insert = <const P extends Part>(which: P) => statement`with made as (
    insert into ${t.pending} (account_id, event_id, endpoint_id, replay, shard, state, due_at, attempts, logged, is_abandoned, is_urgent, since)
    select d.account_id, d.event_id, d.endpoint_id, ${nextReplay}, ${shard}, 'queued', 'infinity', 0, 0, false, false, now()
    from ${given} where ${isFree} and ${which} and ${plannedAnew(accountId)}
    returning event_id
  ), ${raiseVersions(sql`select ${shard} from made`, '0')}
  select (select count(*) from made)::int as made where not exists (select 1 from made) or ${wakes(sql`${shard}::text`)}`;
/** What an insert would create. */
const count = <const P extends Part>(which: P) =>
  statement`select count(*)::int as made from ${given} where ${isFree} and ${which} and ${plannedAnew(accountId)}`;
const isUndelivered = sql`(
        select true from ${t.attempts} a
        where a.account_id = d.account_id and a.event_id = d.event_id and a.endpoint_id = d.endpoint_id and a.state = 'delivered' limit 1
      ) is null`;

/** The statements of a replay, and of a replay of what failed. */
const real = {
  all: { read: lockPeriod, make: insert('true') },
  failed: { read: lockFailed, make: insert(isUndelivered) },
};
const dry = {
  all: { read: readPeriod, make: count('true') },
  failed: { read: readFailed, make: count(isUndelivered) },
};

const eventOf = (row: SqlRow): string => String(row['event']);

/** Replays one batch of events. */
export const replay =
  <Tx extends object>({ shortTransaction }: Database<Tx>): DeliveryLog['replay'] =>
  async (accountId, endpointId, { from, to, after, onlyFailed = false, isDryRun = false }) => {
    if (!isUuid(endpointId)) return { kind: 'not_found' };
    if (after !== undefined && !isUuid(after)) return { kind: 'invalid_cursor' };
    const shard = shardOf(accountId);
    return shortTransaction(async (own): Promise<ReplayOutcome> => {
      if (!isDryRun) await own(lockShard, { shard });
      const [endpoint] = await own(findEndpoint, { accountId, endpointId });
      if (!endpoint) return { kind: 'not_found' };
      if (endpoint['kind'] === 'pull') return { kind: 'wrong_kind' };
      if (endpoint['state'] !== 'enabled') return { kind: 'endpoint_disabled' };
      const low = after === undefined || after < firstIdAt(from) ? firstIdAt(from) : after;
      const period = { accountId, endpointId, low, high: firstIdAt(to) };
      const failed = onlyFailed ? (await own(findFailed, period)).map(eventOf) : [];
      const { all, failed: ofFailed } = isDryRun ? dry : real;
      const found = onlyFailed
        ? await own(ofFailed.read, { accountId, endpointId, events: failed })
        : await own(all.read, period);
      const wanted = {
        accountId,
        endpointId,
        shard,
        events: found.filter(({ wanted }) => wanted === 'true').map(eventOf),
      };
      const [row] = wanted.events.length > 0 ? await own(onlyFailed ? ofFailed.make : all.make, wanted) : [];
      const read = onlyFailed ? failed : found.map(eventOf);
      const next = read.length === batch ? read.at(-1) : undefined;
      return { kind: 'replayed', deliveries: Number(row?.['made'] ?? 0), ...(next === undefined ? {} : { next }) };
    });
  };
