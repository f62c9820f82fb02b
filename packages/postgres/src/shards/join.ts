import type { ShardStore } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { duration, wakesMembers } from '../database/fragments.ts';

/**
 * CTE that deletes workers with an expired lease, except `$1`. A locked row has a write in progress and is deleted
 * later.
 * @internal
 */
export const deleteExpired = `expired as (
    delete from partnerkit.workers where id = any(array(
      select id from partnerkit.workers where expires_at <= now() and id <> $1::text for update skip locked))
    returning id
  )`;

/** Adds a worker. @internal */
export const join = <Tx extends object>({ sql, run }: Database<Tx>): ShardStore['join'] => {
  const insert = sql(`with ${deleteExpired}, joined as (
      insert into partnerkit.workers (id, expires_at) values ($1, now() + ${duration('$2')})
      on conflict (id) do update set expires_at = excluded.expires_at
    )
    select ${wakesMembers}`);
  return async (workerId, lease) => {
    await run(insert, [workerId, lease]);
  };
};
