import type { Database } from '../database/database.ts';
import { ago, exactly, exactTime, plannedAnew } from '../database/fragments.ts';
import { nullable, rows, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { pruneCursor } from './prune-cursor.ts';

/** Attempts of an event that a call deletes with it, on average. */
const attemptsPerEvent = 4;

const [age, limit] = [value('age', 'float8'), value('limit', 'int')];

/**
 * The oldest old events of the shards, after those read before. Events that must stay do not block newer ones. An event
 * whose timestamp is ahead of the clock would push all others of the shard ahead, and stays until its time.
 */
const lockOld = statement`with old as materialized (
    select e.* from unnest(${value('shards', 'int[]')}) g(shard) join ${t.shards} s on s.shard = g.shard cross join lateral (
      select account_id, event_id as id, dispatched_at from ${t.dispatches}
      where shard = g.shard and dispatched_at <= ${ago(age)} and dispatched_at < s.watermark
        and dispatched_at > ${exactTime(nullable('after', 'text'))}
      order by dispatched_at fetch first (${limit}) rows with ties
    ) e where ${plannedAnew(age)} order by e.dispatched_at fetch first (${limit}) rows with ties
  ), locked as (
    select e.account_id, e.id from old o cross join lateral (
      select account_id, event_id as id from ${t.dispatches}
      where account_id = o.account_id and event_id = o.id and timestamp <= extract(epoch from ${ago(age)}) for update skip locked
    ) e
  )
  select (select count(*) from old)::int as looked, ${exactly('(select max(dispatched_at) from old)')} as last, l.account_id as account, l.id::text as event
  from (select 1) one left join locked l on true`;

/** Locked events, as found. */
const events = rows('events', {
  account_id: ['text', ({ account }: SqlRow) => String(account)],
  id: ['uuid', ({ event }: SqlRow) => String(event)],
});

const key = ['account_id', 'event_id', 'endpoint_id', 'replay', 'number'];
const maxLog = value('maxLog', 'int');

/**
 * Sees what others stored before the events were locked. An event stays until its last attempt is old. Attempts go
 * first: events follow once at most `maxLog` attempts were left. Stores the last deleted timestamp, after which
 * dispatch continues.
 */
const dropLocked = statement`with given as materialized (
    select * from ${events.few('g')}
  ), finished as materialized (
    select * from given g where ${plannedAnew(events.column('account_id'))}
      and (select true from ${t.pending} p where p.account_id = g.account_id and p.event_id = g.id limit 1) is null
      and (select true from ${t.parent_propagation} p where p.event_id = g.id and p.account_id = g.account_id limit 1) is null
      and (select true from ${t.handler_deliveries} h where h.account_id = g.account_id and h.event_id = g.id
        and h.state in ('waiting', 'ready') limit 1) is null
      and (select true from ${t.attempts} a where a.account_id = g.account_id and a.event_id = g.id and a.at > ${ago(age)} limit 1) is null
  ), log as materialized (
    select a.* from finished f cross join lateral (
      select ${key.join(', ')} from ${t.attempts} where account_id = f.account_id and event_id = f.id limit ${maxLog} + 1
    ) a limit ${maxLog} + 1
  ), forgotten as (
    delete from ${t.attempts} a using log l where ${key.map((name) => `a.${name} = l.${name}`).join(' and ')}
  ), dropped as (
    delete from ${t.dispatches} e using finished f
    where e.account_id = f.account_id and e.event_id = f.id and (select count(*) from log) <= ${maxLog}
    returning e.account_id, e.event_id, e.shard, e.timestamp
  ), gone as (
    delete from ${t.events} e using dropped d where e.account_id = d.account_id and e.id = d.event_id
  ), unhandled as (
    delete from ${t.handler_deliveries} h using dropped d where h.account_id = d.account_id and h.event_id = d.event_id
  ), unfed as materialized (
    delete from ${t.feed_entries} f using dropped d where f.account_id = d.account_id and f.event_id = d.event_id
    returning f.account_id, f.endpoint_id, f.number, f.event_id
  ), newest as materialized (
    select distinct on (account_id, endpoint_id) * from unfed order by account_id, endpoint_id, number desc
  ), feeds as materialized (
    select f.account_id, f.endpoint_id, n.number, n.event_id,
      f.last = n.number and not exists (select 1 from ${t.endpoints} e where e.account_id = f.account_id and e.id = f.endpoint_id) as has_ended
    from newest n join ${t.feeds} f on f.account_id = n.account_id and f.endpoint_id = n.endpoint_id
    order by f.account_id, f.endpoint_id for update of f
  ), noted as (
    update ${t.feeds} f set pruned = n.number, pruned_event = n.event_id
    from feeds n where f.account_id = n.account_id and f.endpoint_id = n.endpoint_id and not n.has_ended and n.number > f.pruned
  ), ended as (
    delete from ${t.feeds} f using feeds n where f.account_id = n.account_id and f.endpoint_id = n.endpoint_id and n.has_ended
  ), raised as (
    update ${t.shards} s set pruned_timestamp = greatest(s.pruned_timestamp, d.timestamp)
    from (select shard, max(timestamp) as timestamp from dropped group by shard) d where s.shard = d.shard
  )
  select count(*)::int as forgotten from log`;

/** Deletes events with their attempts. Returns whether more may be deleted. */
export const pruneEvents = <Tx extends object>({ shortTransaction }: Database<Tx>) => {
  /** When the last events read were dispatched, as text; null after all were read. */
  const cursor = pruneCursor<string | null>(null);
  return (shards: readonly number[], age: number, limit: number): Promise<boolean> =>
    shortTransaction(async (own) => {
      const found = await own(lockOld, { shards, age, limit, after: cursor.after(shards) });
      const locked = found.filter(({ event }) => event !== null);
      const maxLog = attemptsPerEvent * limit;
      const [row] = locked.length === 0 ? [] : await own(dropLocked, { events: locked, age, maxLog });
      // Read these events again: they were left.
      if (Number(row?.['forgotten'] ?? 0) > maxLog) return true;
      const hasMore = Number(found[0]?.['looked']) >= limit;
      cursor.note(shards, hasMore ? String(found[0]?.['last']) : undefined);
      return hasMore;
    });
};
