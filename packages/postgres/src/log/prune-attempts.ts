import type { Database } from '../database/database.ts';
import { ago, exactly, exactTime, plannedAnew } from '../database/fragments.ts';
import { nullable, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { pruneCursor } from './prune-cursor.ts';

const key = ['account_id', 'event_id', 'endpoint_id', 'replay', 'number'];

const [shards, age, limit] = [value('shards', 'int[]'), value('age', 'float8'), value('limit', 'int')];

/**
 * Deletes the oldest old attempts of the shards, after those read before. Attempts of events dispatched after their
 * shard's `watermark` stay, because a successor needs them; they do not block newer rows.
 */
const drop = statement`with old as materialized (
    select a.*, s.watermark from unnest(${shards}) g(shard) join ${t.shards} s on s.shard = g.shard cross join lateral (
      select ${key.join(', ')}, at from ${t.attempts}
      where shard = g.shard and at <= ${ago(age)} and at > ${exactTime(nullable('after', 'text'))} order by at fetch first (${limit}) rows with ties
    ) a order by a.at fetch first (${limit}) rows with ties
  ), dropped as (
    delete from ${t.attempts} a using old o
    where ${key.map((name) => `a.${name} = o.${name}`).join(' and ')} and ${plannedAnew(age)} and (
        select true from ${t.dispatches} e where e.account_id = o.account_id and e.event_id = o.event_id and e.dispatched_at >= o.watermark limit 1
      ) is null
  )
  select count(*)::int as looked, ${exactly('max(at)')} as last from old`;

/** Deletes attempts. Returns whether more may be deleted. */
export const pruneAttempts = <Tx extends object>({ run }: Database<Tx>) => {
  /** When the last attempts read had ended, as text; null after all were read. */
  const cursor = pruneCursor<string | null>(null);
  return async (shards: readonly number[], age: number, limit: number): Promise<boolean> => {
    const [row] = await run(drop, { shards, age, limit, after: cursor.after(shards) });
    const hasMore = Number(row?.['looked']) >= limit;
    cursor.note(shards, hasMore ? String(row?.['last']) : undefined);
    return hasMore;
  };
};
