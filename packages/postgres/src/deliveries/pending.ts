import type { DeliveryKey, PendingChange } from '@partnerkit/core/ports';
import { day } from '@partnerkit/core/time';
import type { SqlColumn } from '../database/database.ts';
import { duration, isMember, keys } from '../database/fragments.ts';

/** PostgreSQL's range of times is smaller than that of numbers. */
const longest = 36_500 * day;

/** The keys of deliveries, as bound. @internal */
export const keyColumns = (deliveries: readonly DeliveryKey[]): readonly SqlColumn[] => [
  deliveries.map(({ accountId }) => accountId),
  deliveries.map(({ eventId }) => eventId),
  deliveries.map(({ endpointId }) => endpointId),
  deliveries.map(({ replay }) => replay),
];

/** The keys bound from parameter `first` on, with the columns `account_id, event_id, endpoint_id, replay`. @internal */
export const keysFrom = (first: number, name = 'k'): string =>
  `unnest(${keys(`$${first}`, 'text')}, ${keys(`$${first + 1}`, 'uuid')}, ${keys(`$${first + 2}`, 'uuid')}, ${keys(`$${first + 3}`, 'int')})
      as ${name}(account_id, event_id, endpoint_id, replay)`;

/** Whether two rows belong to the same delivery. @internal */
export const isSame = (a: string, b: string): string =>
  ['account_id', 'event_id', 'endpoint_id', 'replay'].map((column) => `${a}.${column} = ${b}.${column}`).join(' and ');

/** The columns that `insertPending` binds. @internal */
export const pendingColumns = (pending: readonly PendingChange[]): readonly SqlColumn[] => [
  ...keyColumns(pending),
  pending.map(({ shard }) => shard),
  pending.map(({ state }) => state),
  pending.map(({ dueIn }) => Math.min(Math.max(dueIn, -longest), longest)),
  pending.map(({ attempts }) => attempts),
  pending.map(({ logged }) => logged),
  pending.map(({ isUrgent = false }) => isUrgent),
];

const names =
  'account_id, event_id, endpoint_id, replay, shard, state, due_at, attempts, logged, is_abandoned, is_urgent, since';

/** Inserts the pending deliveries bound from parameter `first` on, for the worker of `fence`. @internal */
export const insertPending = (first: number): string => `
    insert into partnerkit.pending (${names})
    select account_id, event_id, endpoint_id, replay, shard, state, now() + ${duration('due_in')}, attempts, logged, false, is_urgent, now()
    from unnest($${first}::text[], $${first + 1}::uuid[], $${first + 2}::uuid[], $${first + 3}::int[], $${first + 4}::int[],
      $${first + 5}::text[], $${first + 6}::float8[], $${first + 7}::int[], $${first + 8}::int[], $${first + 9}::boolean[])
      as p(account_id, event_id, endpoint_id, replay, shard, state, due_in, attempts, logged, is_urgent)
    where ${isMember}`;

/** What an insert changes in an existing row. @internal */
export const replacePending = `on conflict (account_id, event_id, endpoint_id, replay) do update set state = excluded.state,
      due_at = excluded.due_at, attempts = excluded.attempts, logged = excluded.logged, is_abandoned = false,
      is_urgent = excluded.is_urgent, since = excluded.since`;

/**
 * The remaining order of the index `pending_endpoint` within a shard. Lookups of the next account or endpoint use all
 * of it: with less, the planner may choose another index and scan it.
 * @internal
 */
export const inQueueOrder = 'account_id, endpoint_id, state, due_at, event_id, replay';
