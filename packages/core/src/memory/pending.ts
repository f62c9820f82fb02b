import type { AccountRow, EndpointPending, PendingRow } from './rows.ts';
import { createSorted } from './sorted.ts';

// Not by subtraction: Infinity - Infinity is NaN.
const order = <T extends number | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** Orders pending deliveries by due time, then by event. @internal */
export const compareDue = (a: PendingRow, b: PendingRow): number =>
  order(a.dueAt, b.dueAt) ||
  a.delivery.event.position - b.delivery.event.position ||
  order(a.delivery.endpointId, b.delivery.endpointId) ||
  a.delivery.replay - b.delivery.replay;

const compareAttempts = (a: PendingRow, b: PendingRow): number => b.attempts - a.attempts || compareDue(a, b);

const pendingOf = ({ pending }: AccountRow, endpointId: string): EndpointPending => {
  const known = pending.get(endpointId);
  if (known) return known;
  const made = {
    rows: new Set<PendingRow>(),
    queued: createSorted(compareDue),
    attempted: createSorted(compareAttempts),
  };
  pending.set(endpointId, made);
  return made;
};

const countQueued = (account: AccountRow, change: 1 | -1): void => {
  const { queued } = account.shard;
  const count = (queued.get(account) ?? 0) + change;
  if (count > 0) queued.set(account, count);
  else queued.delete(account);
};

/** Removes the pending row of a delivery, if any. @internal */
export const removePending = ({ pending: row, event: { account }, endpointId }: PendingRow['delivery']): void => {
  if (!row) return;
  row.delivery.pending = undefined;
  const pending = pendingOf(account, endpointId);
  pending.rows.delete(row);
  if (pending.rows.size === 0) account.pending.delete(endpointId);
  if (row.state === 'scheduled') {
    account.shard.scheduled.delete(row);
    return;
  }
  pending.queued.delete(row);
  pending.attempted.delete(row);
  countQueued(account, -1);
};

/** Replaces the pending row of a delivery. @internal */
export const putPending = (row: PendingRow): void => {
  const { delivery } = row;
  removePending(delivery);
  delivery.pending = row;
  const { account } = delivery.event;
  const pending = pendingOf(account, delivery.endpointId);
  pending.rows.add(row);
  if (row.state === 'scheduled') {
    account.shard.scheduled.add(row);
    return;
  }
  pending.queued.add(row);
  pending.attempted.add(row);
  countQueued(account, 1);
};
