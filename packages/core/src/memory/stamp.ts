import type { DeliveryStore, DispatchedEvent, PendingChange } from '../delivery-ports/delivery-store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { EpochMs } from '../runtime/time.ts';
import { deliveryRow, storedDelivery } from './delivery-rows.ts';
import type { EndpointHistory } from './endpoint-history.ts';
import { putPending } from './pending.ts';
import type { DispatchedRow, EventRow, PendingRow } from './rows.ts';
import { claimSecond, releaseSecond } from './seconds.ts';
import type { Tables } from './tables.ts';

interface Stamped {
  readonly row: EventRow;
  readonly dispatched: DispatchedEvent;
}

/** @throws Error when another event of the object has the second; then no second is claimed. */
const claimSeconds = (stamped: readonly Stamped[]): void => {
  for (const [index, { row, dispatched }] of stamped.entries()) {
    if (claimSecond(row.account, row.event.objectId, dispatched.timestamp)) continue;
    for (const each of stamped.slice(0, index))
      releaseSecond(each.row.account, each.row.event.objectId, each.dispatched.timestamp);
    throw new Error('Two events of one object have the same second.');
  }
};

/** A pending row from a change. @internal */
export const pendingRow = (delivery: PendingRow['delivery'], change: PendingChange, now: EpochMs): PendingRow => ({
  delivery,
  state: change.state,
  // Rounded up: never early.
  dueAt: Math.ceil(now + change.dueIn),
  attempts: change.attempts,
  logged: change.logged,
  isAbandoned: false,
  isUrgent: change.isUrgent === true,
  since: now,
});

/** Dispatches events. @internal */
export const stampEvents = (tables: Tables, history: EndpointHistory, clock: Clock): DeliveryStore['stamp'] => {
  const dispatch = ({ row, dispatched }: Stamped, at: EpochMs): void => {
    const { timestamp: second, endpointIds, propagates } = dispatched;
    row.dispatch = { at, moment: history.moment(), second, endpointIds };
    const { shard, accountId } = row.account;
    shard.dispatched.add(row as DispatchedRow);
    if (!propagates) return;
    row.isPropagating = true;
    shard.propagated.add(accountId, row);
  };

  return async (workerId, events, pending, notBefore) => {
    if (!tables.workers.has(workerId)) return 'fenced';
    const stamped: Stamped[] = [];
    for (const dispatched of events) {
      const row = tables.findEvent(dispatched.event.accountId, dispatched.event.id);
      if (row && !row.dispatch) stamped.push({ row, dispatched });
    }
    claimSeconds(stamped);
    const now = clock.now();
    const at = Math.ceil(Math.max(now, notBefore));
    for (const each of stamped) dispatch(each, at);
    for (const change of pending) {
      const event = tables.findDispatched(change.accountId, change.eventId);
      if (!event || storedDelivery(event, change.endpointId, change.replay)) continue;
      putPending(pendingRow(deliveryRow(event, change.endpointId, change.replay), change, now));
    }
    return 'stored';
  };
};
