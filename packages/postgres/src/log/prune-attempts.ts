import type { Database } from '../database/database.ts';
import { ago, exactly, exactTime, plannedAnew } from '../database/fragments.ts';
import { pruneCursor } from './prune-cursor.ts';

const key = ['account_id', 'event_id', 'endpoint_id', 'replay', 'number'];

/**
 * Deletes the oldest old attempts of the shards, after those read before. Attempts of events dispatched after their
 * shard's `watermark` stay, because a successor needs them; they do not block newer rows. `$2` is the age, `$3` the
 * limit.
 */
const statement = `with old as materialized (
    select a.*, s.watermark from unnest($1::int[]) g(shard) join partnerkit.shards s on s.shard = g.shard cross join lateral (
      select ${key.join(', ')}, at from partnerkit.attempts
      where shard = g.shard and at <= ${ago('$2')} and at > ${exactTime('$4')} order by at fetch first ($3::int) rows with ties
    ) a order by a.at fetch first ($3::int) rows with ties
  ), dropped as (
    delete from partnerkit.attempts a using old o
    where ${key.map((name) => `a.${name} = o.${name}`).join(' and ')} and ${plannedAnew('$2::float8')} and (
        select true from partnerkit.events e where e.account_id = o.account_id and e.id = o.event_id and e.dispatched_at >= o.watermark limit 1
      ) is null
  )
  select count(*)::int as looked, ${exactly('max(at)')} as last from old`;

/** Deletes attempts. Returns whether more may be deleted. @internal */
export const pruneAttempts = <Tx extends object>({ sql, run }: Database<Tx>) => {
  const drop = sql(statement);
  /** When the last attempts read had ended, as text; null after all were read. */
  const cursor = pruneCursor<string | null>(null);
  return async (shards: readonly number[], age: number, limit: number): Promise<boolean> => {
    const [row] = await run(drop, [shards, age, limit, cursor.after(shards)]);
    const hasMore = Number(row?.['looked']) >= limit;
    cursor.note(shards, hasMore ? String(row?.['last']) : undefined);
    return hasMore;
  };
};
