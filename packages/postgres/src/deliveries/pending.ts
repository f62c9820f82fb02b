import type { DeliveryKey, PendingChange } from '@partnerkit/core/adapter';
import { duration, isMember } from '../database/fragments.ts';
import { type Columns, type Rows, rows, sql } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { day } from '../duration.ts';

/** PostgreSQL's range of times is smaller than that of numbers. */
const longest = 36_500 * day;

const keyColumns: Columns<DeliveryKey> = {
  account_id: ['text', ({ accountId }) => accountId],
  event_id: ['uuid', ({ eventId }) => eventId],
  endpoint_id: ['uuid', ({ endpointId }) => endpointId],
  replay: ['int', ({ replay }) => replay],
};

/** The columns of a delivery's key, and more. */
export const withKey = <I extends DeliveryKey>(more: Columns<I>): Columns<I> => ({ ...keyColumns, ...more });

/** Keys of deliveries by their name. */
export const keyRows = <const N extends string>(name: N): Rows<{ readonly [K in N]: readonly DeliveryKey[] }> =>
  rows(name, keyColumns);

/** Whether two rows belong to the same delivery. */
export const isSame = (a: string, b: string): string =>
  Object.keys(keyColumns)
    .map((column) => `${a}.${column} = ${b}.${column}`)
    .join(' and ');

const pending = rows(
  'pending',
  withKey<PendingChange>({
    shard: ['int', ({ shard }) => shard],
    state: ['text', ({ state }) => state],
    due_at: [
      'float8',
      ({ dueIn }) => Math.min(Math.max(dueIn, -longest), longest),
      (dueIn) => sql`now() + ${duration(dueIn)}`,
    ],
    attempts: ['int', ({ attempts }) => attempts],
    logged: ['int', ({ logged }) => logged],
    is_urgent: ['boolean', ({ isUrgent = false }) => isUrgent],
  }),
);

/** Inserts the pending deliveries `pending`, for the worker of `fence`. */
export const insertPending = sql`
    insert into ${t.pending} (${pending.names}, is_abandoned, since)
    select ${pending.stored}, false, now() from ${pending.as('p')}
    where ${isMember}`;

/** What an insert changes in an existing row. */
export const replacePending = `on conflict (account_id, event_id, endpoint_id, replay) do update set state = excluded.state,
      due_at = excluded.due_at, attempts = excluded.attempts, logged = excluded.logged, is_abandoned = false,
      is_urgent = excluded.is_urgent, since = excluded.since`;

/**
 * The remaining order of the index `pending_endpoint` within a shard. Lookups of the next account or endpoint use all
 * of it: with less, the planner may choose another index and scan it.
 */
export const inQueueOrder = 'account_id, endpoint_id, state, due_at, event_id, replay';
