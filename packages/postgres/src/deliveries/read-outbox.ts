import type { DeliveryStore, OutboxEvent, ShardRange } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { ms, plannedAnew } from '../database/fragments.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { optionalFields } from '../events/dispatched-event.ts';
import { stateOf, withState } from './store-state.ts';

const columns = {
  shard: 'o.shard::int',
  account: 'o.account_id',
  position: 'o.position::text',
  id: 'o.id::text',
  name: 'o.object_name',
  object: 'o.object_id',
  type: 'o.type',
  tail: 'o.body_tail',
  occurred: ms('o.occurred_at'),
  stored: ms('o.stored_at'),
  // The last timestamp of the object, from its unique index, or of pruned events.
  last: `greatest((select e.timestamp from partnerkit.events e where e.account_id = o.account_id and e.object_id = o.object_id
      order by e.timestamp desc limit 1), (array(select coalesce(pruned_timestamp, -1) from partnerkit.shards order by shard))[o.shard + 1])::float8`,
  key: 'o.idempotency_key',
  trace: 'o.trace_context',
  only: 'o.only_to::text',
  origin: 'o.origin',
};

/** Ranges, as bound to `$1` to `$3`. @internal */
export const rangeColumns = (ranges: readonly ShardRange[]) => [
  ranges.map(({ shard }) => shard),
  ranges.map(({ after }) => after ?? null),
  ranges.map(({ before }) => before ?? null),
];

/**
 * Rows of a table with the key (shard, account_id, position): of each range up to `$4` in the order of the key, and
 * `$4` in all in the order of the ranges. A range is read when those before it had too few rows. Account ids are
 * neither empty nor longer than 256 bytes.
 * @internal
 */
export const rowsInRanges = (table: string): string => `
  from unnest($1::int[], $2::text[], $3::text[]) as r(shard, after, before) cross join lateral (
    select * from partnerkit.${table}
    where shard = r.shard and account_id > coalesce(r.after, '') and account_id < coalesce(r.before, repeat(U&'\\+10FFFF', 65))
    order by account_id, position limit $4::int
  ) o`;

const eventOf = (row: SqlRow): OutboxEvent => ({
  shard: Number(row['shard']),
  position: String(row['position']),
  id: String(row['id']),
  accountId: String(row['account']),
  objectName: String(row['name']),
  objectId: String(row['object']),
  type: String(row['type']),
  bodyTail: String(row['tail']),
  storedAt: Number(row['stored']),
  ...(Number(row['last']) < 0 ? {} : { lastTimestamp: Number(row['last']) }),
  ...optionalFields(row),
});

/** Reads committed events. @internal */
export const readOutbox = <Tx extends object>({ sql, run }: Database<Tx>): DeliveryStore['readOutbox'] => {
  const read = sql(withState(columns, `${rowsInRanges('outbox')} where ${plannedAnew('$4::int')} limit $4::int`));
  return async (ranges, limit) => {
    const [state, ...found] = await run(read, [...rangeColumns(ranges), limit]);
    return { ...stateOf(state), events: found.map(eventOf) };
  };
};
