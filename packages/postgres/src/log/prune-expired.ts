import type { Database } from '../database/database.ts';
import { ago, plannedAnew } from '../database/fragments.ts';
import { type Fragment, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { day } from '../duration.ts';

const age = value('age', 'float8');

/** Deletes the oldest old rows of a table that are not locked. */
const drop = (table: Fragment, key: readonly string[], column: string) => statement`with old as materialized (
    select ${key.join(', ')} from ${table} where ${column} <= ${ago(age)} order by ${column} limit ${value('limit', 'int')} for update skip locked
  ), dropped as (
    delete from ${table} t using old o where ${key.map((name) => `t.${name} = o.${name}`).join(' and ')} and ${plannedAnew(age)}
    returning 1
  )
  select count(*)::int as dropped from dropped`;

const dropHistory = drop(t.endpoint_history, ['account_id', 'endpoint_id', 'since'], 'until');
const dropKeys = drop(t.idempotency_keys, ['account_id', 'key'], 'expires_at');
const dropTokens = drop(t.revoked_tokens, ['jti'], 'expires_at');

/** Deletes rows that belong to no shard. Returns whether more may be deleted. */
export const pruneExpired =
  <Tx extends object>({ run }: Database<Tx>) =>
  async (age: number, limit: number): Promise<boolean> => {
    const dropped = [
      await run(dropHistory, { age, limit }),
      await run(dropKeys, { age: 0, limit }),
      // The caller's clock may differ: rows stay one more day.
      await run(dropTokens, { age: day, limit }),
    ];
    return dropped.some(([row]) => Number(row?.['dropped']) >= limit);
  };
