import type { Database } from '../database/database.ts';
import { ago, exactly, exactTime, keys, plannedAnew } from '../database/fragments.ts';
import { pruneCursor } from './prune-cursor.ts';

/**
 * The oldest old events of the shards, after those read before. Events that must stay do not block newer ones. `$2` is
 * the age, `$3` the limit.
 */
const lockOld = `with old as materialized (
    select e.* from unnest($1::int[]) g(shard) join partnerkit.shards s on s.shard = g.shard cross join lateral (
      select account_id, id, dispatched_at from partnerkit.events
      where shard = g.shard and dispatched_at <= ${ago('$2')} and dispatched_at < s.watermark
        and dispatched_at > ${exactTime('$4')}
      order by dispatched_at fetch first ($3::int) rows with ties
    ) e where ${plannedAnew('$2::float8')} order by e.dispatched_at fetch first ($3::int) rows with ties
  ), locked as (
    select e.account_id, e.id from old o cross join lateral (
      select account_id, id from partnerkit.events where account_id = o.account_id and id = o.id for update skip locked
    ) e
  )
  select (select count(*) from old)::int as looked, ${exactly('(select max(dispatched_at) from old)')} as last, l.account_id as account, l.id::text as event
  from (select) one left join locked l on true`;

/**
 * Sees what others stored before the events were locked. Stores the last deleted timestamp, after which dispatch
 * continues. An event whose timestamp is ahead of the clock would push all others of the shard ahead, and stays until
 * its time.
 */
const dropLocked = `with given as materialized (
    select * from unnest(${keys('$1', 'text')}, ${keys('$2', 'uuid')}) g(account_id, id)
  ), dropped as (
    delete from partnerkit.events e using given g
    where e.account_id = g.account_id and e.id = g.id and e.timestamp <= extract(epoch from ${ago('$3')}) and ${plannedAnew('$1::text[]')}
      and (select true from partnerkit.pending p where p.account_id = g.account_id and p.event_id = g.id limit 1) is null
      and (select true from partnerkit.parent_propagation p where p.event_id = g.id and p.account_id = g.account_id limit 1) is null
    returning e.shard, e.timestamp
  )
  update partnerkit.shards s set pruned_timestamp = greatest(s.pruned_timestamp, d.timestamp)
  from (select shard, max(timestamp) as timestamp from dropped group by shard) d where s.shard = d.shard`;

/** Deletes events. Returns whether more may be deleted. @internal */
export const pruneEvents = <Tx extends object>({ sql, shortTransaction }: Database<Tx>) => {
  const [lock, drop] = [sql(lockOld), sql(dropLocked)];
  /** When the last events read were dispatched, as text; null after all were read. */
  const cursor = pruneCursor<string | null>(null);
  return (shards: readonly number[], age: number, limit: number): Promise<boolean> =>
    shortTransaction(async (own) => {
      const rows = await own(lock, [shards, age, limit, cursor.after(shards)]);
      const locked = rows.filter(({ event }) => event !== null);
      if (locked.length > 0)
        await own(drop, [locked.map(({ account }) => String(account)), locked.map(({ event }) => String(event)), age]);
      const hasMore = Number(rows[0]?.['looked']) >= limit;
      cursor.note(shards, hasMore ? String(rows[0]?.['last']) : undefined);
      return hasMore;
    });
};
