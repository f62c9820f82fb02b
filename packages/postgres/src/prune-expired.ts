import { day } from '@partnerkit/core';
import type { Database } from './database.ts';
import { ago, plannedAnew } from './fragments.ts';

/** Drops the oldest rows of a table that are too old and that nobody else has locked. `$1` is how old, `$2` how many. */
const drop = (table: string, key: readonly string[], column: string): string => `with old as materialized (
    select ${key.join(', ')} from partnerkit.${table} where ${column} <= ${ago('$1')} order by ${column} limit $2::int for update skip locked
  ), dropped as (
    delete from partnerkit.${table} t using old o where ${key.map((name) => `t.${name} = o.${name}`).join(' and ')} and ${plannedAnew('$1::float8')}
    returning 1
  )
  select count(*)::int as dropped from dropped`;

/** Drops what belongs to no shard. Says whether there may be more. @internal */
export const pruneExpired = <Tx extends object>({ sql, run }: Database<Tx>) => {
  const [history, keys, tokens] = [
    sql(drop('endpoint_history', ['account_id', 'endpoint_id', 'since'], 'until')),
    sql(drop('idempotency_keys', ['account_id', 'key'], 'expires_at')),
    sql(drop('revoked_tokens', ['jti'], 'expires_at')),
  ];
  return async (age: number, limit: number): Promise<boolean> => {
    const dropped = [
      await run(history, [age, limit]),
      await run(keys, [0, limit]),
      // Whoever asks has another clock: a day more is kept.
      await run(tokens, [day, limit]),
    ];
    return dropped.some(([row]) => Number(row?.['dropped']) >= limit);
  };
};
