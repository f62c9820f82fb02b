import type { ShardStore } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { wakesMembers } from '../database/fragments.ts';

/** Deletes a worker. @internal */
export const leave = <Tx extends object>({ sql, run }: Database<Tx>): ShardStore['leave'] => {
  const remove = sql(`with gone as (
      delete from partnerkit.workers where id = $1::text returning id
    ), released as (
      update partnerkit.shards set owner = null where owner = (select id from gone)
    )
    select ${wakesMembers}`);
  return async (workerId) => {
    await run(remove, [workerId]);
  };
};
