import type { ShardStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { fence, isMember, wakesMembers, workerId } from '../database/fragments.ts';
import { statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';

const free = statement`with ${fence}, released as (
    update ${t.shards} set owner = null
    where owner = ${workerId} and shard = any(${value('shards', 'int[]')}) and ${isMember}
  )
  select ${wakesMembers}`;

/** Frees shards. Those of a deleted worker stay abandoned. */
export const release =
  <Tx extends object>({ run }: Database<Tx>): ShardStore['release'] =>
  async (workerId, shards) => {
    await run(free, { workerId, shards });
  };
