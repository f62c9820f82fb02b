import type { ShardStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { duration, wakesMembers, workerId } from '../database/fragments.ts';
import { sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';

/**
 * CTE that deletes workers with an expired lease, except the calling one. A locked row has a write in progress and is
 * deleted later.
 */
export const deleteExpired = sql`expired as (
    delete from ${t.workers} where id = any(array(
      select id from ${t.workers} where expires_at <= now() and id <> ${workerId} for update skip locked))
    returning id
  )`;

const insert = statement`with ${deleteExpired}, joined as (
    insert into ${t.workers} (id, expires_at) values (${workerId}, now() + ${duration(value('lease', 'float8'))})
    on conflict (id) do update set expires_at = excluded.expires_at
  )
  select ${wakesMembers}`;

/** Adds a worker. */
export const join =
  <Tx extends object>({ run }: Database<Tx>): ShardStore['join'] =>
  async (workerId, lease) => {
    await run(insert, { workerId, lease });
  };
