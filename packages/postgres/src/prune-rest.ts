import { day } from '@partnerkit/core';
import type { Database } from './database.ts';
import { ago, exactly, exactTime, plannedAnew } from './fragments.ts';

/** The oldest rows of a table that are too old, and that nobody else has locked. `$1` is how old, `$2` how many. */
const drop = (table: string, key: readonly string[], column: string): string => `with old as materialized (
    select ${key.join(', ')} from partnerkit.${table} where ${column} <= ${ago('$1')} order by ${column} limit $2::int for update skip locked
  ), dropped as (
    delete from partnerkit.${table} t using old o where ${key.map((name) => `t.${name} = o.${name}`).join(' and ')} and ${plannedAnew('$1::float8')}
    returning 1
  )
  select count(*)::int as dropped from dropped`;

const keyOfAttempt = ['account_id', 'event_id', 'endpoint_id', 'replay', 'number'];

/**
 * Attempts that are too old, of deliveries that are settled: a successor must know what became of an event that was dispatched after the
 * mark of its shard. One that must stay delays none that is newer.
 */
const dropAttempts = `with old as materialized (
    select * from partnerkit.attempts where at <= ${ago('$1')} and at > ${exactTime('$3')}
    order by at fetch first ($2::int) rows with ties
  ), dropped as (
    delete from partnerkit.attempts t using old o where ${keyOfAttempt.map((name) => `t.${name} = o.${name}`).join(' and ')}
      and (select true from partnerkit.events e join partnerkit.shards s on s.shard = e.shard
        where e.account_id = o.account_id and e.id = o.event_id and e.dispatched_at >= s.settled_to limit 1) is null
      and ${plannedAnew('$1::float8')}
  )
  select count(*)::int as looked, ${exactly('max(at)')} as last from old`;

/** Drops what belongs to no shard. Says whether there may be more. @internal */
export const pruneRest = <Tx extends object>({ sql, runCommitted }: Database<Tx>) => {
  const attempts = sql(dropAttempts);
  const [history, keys, tokens] = [
    sql(drop('endpoint_history', ['account_id', 'endpoint_id', 'since'], 'until')),
    sql(drop('idempotency_keys', ['account_id', 'key'], 'expires_at')),
    sql(drop('revoked_tokens', ['jti'], 'expires_at')),
  ];
  /** When the attempts ended that were looked at last, as text; null once all were. */
  let after: string | null = null;
  return async (ages: { readonly events: number; readonly attempts: number }, limit: number): Promise<boolean> => {
    const [row] = await runCommitted(attempts, [ages.attempts, limit, after]);
    const hasMoreAttempts = Number(row?.['looked']) >= limit;
    after = hasMoreAttempts ? String(row?.['last']) : null;
    const more = [hasMoreAttempts];
    for (const [statement, age] of [
      [history, ages.events],
      [keys, 0],
      // Whoever asks has another clock: a day more is kept.
      [tokens, day],
    ] as const) {
      const [dropped] = await runCommitted(statement, [age, limit]);
      more.push(Number(dropped?.['dropped']) >= limit);
    }
    return more.includes(true);
  };
};
