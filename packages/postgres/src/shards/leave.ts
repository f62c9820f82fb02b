import type { ShardStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { wakesMembers, workerId } from '../database/fragments.ts';
import { statement } from '../database/statement.ts';
import { t } from '../database/tables.ts';

const remove = statement`with gone as (
    delete from ${t.workers} where id = ${workerId} returning id
  ), released as (
    update ${t.shards} set owner = null where owner = (select id from gone)
  )
  select ${wakesMembers}`;

/** Deletes a worker. */
export const leave =
  <Tx extends object>({ run }: Database<Tx>): ShardStore['leave'] =>
  async (workerId) => {
    await run(remove, { workerId });
  };
