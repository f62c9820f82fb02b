import type { ParentPropagation } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import { statement } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { propagate } from './propagate.ts';
import { limit, rowsInRanges } from './ranges.ts';

const read = statement`select o.shard::int as shard, o.account_id as account, o.position::text as position,
    o.event_id::text as event, o.object_name as object, o.type
  ${rowsInRanges(t.parent_propagation)} where ${plannedAnew(limit)} limit ${limit}`;

/** Events to propagate. */
export const parentPropagation = <Tx extends object>(database: Database<Tx>): ParentPropagation => ({
  readPropagated: async (ranges, limit) =>
    (await database.run(read, { ranges, limit })).map((row) => ({
      shard: Number(row['shard']),
      accountId: String(row['account']),
      position: String(row['position']),
      eventId: String(row['event']),
      objectName: String(row['object']),
      type: String(row['type']),
    })),
  propagate: propagate(database),
});
