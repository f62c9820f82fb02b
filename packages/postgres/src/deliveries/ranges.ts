import type { ShardRange } from '@partnerkit/core/adapter';
import { type Fragment, rows, sql, value } from '../database/statement.ts';

/** Ranges of accounts. `after` is before all accounts, which are not empty. */
export const ranges = rows('ranges', {
  shard: ['int', ({ shard }: ShardRange) => shard],
  after: ['text', ({ after = '' }: ShardRange) => after],
  before: ['text', ({ before }: ShardRange) => before ?? null],
});

/** Maximum number of rows. */
export const limit = value('limit', 'int');

/**
 * Rows of a table with the key (shard, account_id, position): of each range up to `limit` in the order of the key, and
 * `limit` in all in the order of the ranges. A range is read when those before it had too few rows. Account ids are
 * neither empty nor longer than 256 bytes; 1114111 is the last character, U+10FFFF.
 */
export const rowsInRanges = (table: Fragment) => sql`
  from ${ranges.as('r')} cross join lateral (
    select * from ${table}
    where shard = r.shard and account_id > r.after and account_id < coalesce(r.before, repeat(chr(1114111), 65))
    order by account_id, position limit ${limit}
  ) o`;
