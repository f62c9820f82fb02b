import { day } from '@partnerkit/core/time';
import type { Database } from '../database/database.ts';
import { ago, plannedAnew } from '../database/fragments.ts';

/** Deletes the oldest old rows of a table that are not locked. `$1` is the age, `$2` the limit. */
const drop = (table: string, key: readonly string[], column: string): string => `with old as materialized (
    select ${key.join(', ')} from partnerkit.${table} where ${column} <= ${ago('$1')} order by ${column} limit $2::int for update skip locked
  ), dropped as (
    delete from partnerkit.${table} t using old o where ${key.map((name) => `t.${name} = o.${name}`).join(' and ')} and ${plannedAnew('$1::float8')}
    returning 1
  )
  select count(*)::int as dropped from dropped`;

/** Deletes rows that belong to no shard. Returns whether more may be deleted. @internal */
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
      // The caller's clock may differ: rows stay one more day.
      await run(tokens, [day, limit]),
    ];
    return dropped.some(([row]) => Number(row?.['dropped']) >= limit);
  };
};
