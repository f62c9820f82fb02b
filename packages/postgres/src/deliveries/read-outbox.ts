import type { DeliveryStore, OutboxEvent } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import type { Selection } from '../database/selection.ts';
import { sql, statement } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { eventSelection, newEventOf } from '../events/event-columns.ts';
import { limit, rowsInRanges } from './ranges.ts';
import { stateOf, withState } from './store-state.ts';

/** The last timestamp of the object, from its unique index, or of pruned events. */
const lastTimestamp = sql`greatest((select timestamp from ${t.dispatches} where object_hash = o.object_hash order by timestamp desc limit 1), (array(select coalesce(pruned_timestamp, -1) from ${t.shards} order by shard))[o.shard + 1])`;

const selection: Selection = {
  shard: ['int', 'o.shard'],
  account: ['text', 'o.account_id'],
  position: ['bigint', 'o.position'],
  stored: ['time', 'e.stored_at'],
  last: ['float8', lastTimestamp],
  ...eventSelection('e'),
};

const read = statement`${withState(
  selection,
  sql`${rowsInRanges(t.outbox)} cross join lateral (
    select * from ${t.events} where account_id = o.account_id and id = o.event_id offset 0
  ) e where ${plannedAnew(limit)} limit ${limit}`,
)}`;

const eventOf = (row: SqlRow): OutboxEvent => ({
  ...newEventOf(row, String(row['account'])),
  shard: Number(row['shard']),
  position: String(row['position']),
  storedAt: Number(row['stored']),
  ...(Number(row['last']) < 0 ? {} : { lastTimestamp: Number(row['last']) }),
});

/** Reads committed events. */
export const readOutbox =
  <Tx extends object>({ run }: Database<Tx>): DeliveryStore['readOutbox'] =>
  async (ranges, limit, knownVersion) => {
    const [state, ...found] = await run(read, { ranges, limit, knownVersion });
    return { ...stateOf(state), events: found.map(eventOf) };
  };
