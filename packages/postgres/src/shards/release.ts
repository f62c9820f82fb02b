import type { ShardStore } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { fence, isMember, wakesMembers } from '../database/fragments.ts';

/** Frees shards. Those of a deleted worker stay abandoned. @internal */
export const release = <Tx extends object>({ sql, run }: Database<Tx>): ShardStore['release'] => {
  const free = sql(`with ${fence}, released as (
      update partnerkit.shards set owner = null where owner = $1::text and shard = any($2::int[]) and ${isMember}
    )
    select ${wakesMembers}`);
  return async (workerId, shards) => {
    await run(free, [workerId, shards]);
  };
};
