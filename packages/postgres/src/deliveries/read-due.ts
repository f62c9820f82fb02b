import type { DeliveryKey, DeliveryStore, PendingDelivery } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { dispatchedEventOf, eventColumns } from '../events/dispatched-event.ts';
import { keyColumns } from './pending.ts';
import { stateOf, withState } from './store-state.ts';

const columns = {
  shard: 'p.shard::int',
  account: 'p.account_id',
  endpoint: 'p.endpoint_id::text',
  replay: 'p.replay::int',
  attempts: 'p.attempts::int',
  logged: 'p.logged::int',
  abandoned: 'p.is_abandoned::text',
  urgent: 'p.is_urgent::text',
  ...eventColumns,
};

/** Rows of `pending` whose keys are not among those bound from parameter `first` on. @internal */
export const isNotAmong = (first: number): string => `(account_id, event_id, endpoint_id, replay) not in (
      select * from unnest($${first}::text[], $${first + 1}::uuid[], $${first + 2}::uuid[], $${first + 3}::int[]))`;

/**
 * The statement that reads deliveries with their events: `rows` is a list of tables that ends with a subquery `p` of
 * `pending`.
 * @internal
 */
export const readPending = (rows: string, end: string): string =>
  withState(
    columns,
    `from ${rows} cross join lateral (
      select * from partnerkit.events where account_id = p.account_id and id = p.event_id offset 0
    ) e where ${plannedAnew('$1::int[]')} ${end}`,
  );

/** A delivery from its row. @internal */
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

/** Reads due deliveries. @internal */
export const readDue = <Tx extends object>({ sql, run }: Database<Tx>): DeliveryStore['readDue'] => {
  const read = sql(
    readPending(
      `unnest($1::int[]) s(shard) cross join lateral (
      select * from partnerkit.pending
      where shard = s.shard and state = 'scheduled' and due_at <= now() and ${isNotAmong(3)}
      order by due_at limit $2::int
    ) p`,
      'limit $2::int',
    ),
  );
  return async (shards, limit, except: readonly DeliveryKey[]) => {
    const [state, ...found] = await run(read, [shards, limit, ...keyColumns(except)]);
    return { ...stateOf(state), deliveries: found.map(deliveryOf) };
  };
};
