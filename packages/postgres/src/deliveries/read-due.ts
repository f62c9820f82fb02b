import type { DeliveryStore, PendingDelivery } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import type { Selection } from '../database/selection.ts';
import { type Part, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { dispatchedEventOf, dispatchedEvents, dispatchedSelection } from '../events/event-columns.ts';
import { keyRows } from './pending.ts';
import { stateOf, withState } from './store-state.ts';

const selection: Selection = {
  shard: ['int', 'p.shard'],
  account: ['text', 'p.account_id'],
  endpoint: ['uuid', 'p.endpoint_id'],
  replay: ['int', 'p.replay'],
  attempts: ['int', 'p.attempts'],
  logged: ['int', 'p.logged'],
  abandoned: ['boolean', 'p.is_abandoned'],
  urgent: ['boolean', 'p.is_urgent'],
  ...dispatchedSelection,
};

const shards = value('shards', 'int[]');

/** Rows of `pending` whose keys are not among those of the values `except`. */
export const isNotAmong = sql`(account_id, event_id, endpoint_id, replay) not in (
      select * from ${keyRows('except').unnested})`;

/**
 * The part of a statement that reads deliveries with their events: `rows` is a list of tables that ends with a subquery
 * `p` of `pending`.
 */
export const readPending = <const R extends Part, const E extends Part>(rows: R, end: E) =>
  withState(
    selection,
    sql`from ${rows} cross join lateral (
      select * from ${dispatchedEvents} where e.account_id = p.account_id and e.id = p.event_id offset 0
    ) e where ${end}`,
  );

const limit = value('limit', 'int');
const read = statement`${readPending(
  sql`unnest(${shards}) s(shard) cross join lateral (
      select * from ${t.pending}
      where shard = s.shard and state = 'scheduled' and due_at <= now() and ${isNotAmong}
      order by due_at limit ${limit}
    ) p`,
  sql`${plannedAnew(shards)} limit ${limit}`,
)}`;

/** A delivery from its row. */
export const deliveryOf = (row: SqlRow): PendingDelivery => {
  const accountId = String(row['account']);
  const event = dispatchedEventOf(row, accountId);
  return {
    shard: Number(row['shard']),
    accountId,
    eventId: event.id,
    endpointId: String(row['endpoint']),
    replay: Number(row['replay']),
    event,
    attempts: Number(row['attempts']),
    logged: Number(row['logged']),
    wasAbandoned: row['abandoned'] === 'true',
    isUrgent: row['urgent'] === 'true',
  };
};

/** Reads due deliveries. */
export const readDue =
  <Tx extends object>({ run }: Database<Tx>): DeliveryStore['readDue'] =>
  async (shards, limit, except, knownVersion) => {
    const [state, ...found] = await run(read, { shards, limit, except, knownVersion });
    return { ...stateOf(state), deliveries: found.map(deliveryOf) };
  };
