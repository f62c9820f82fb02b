import type { AnnouncedEvent, DeliveryStore, EventDispatch, PendingChange } from '../deliveries/delivery-store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { EpochMs } from '../runtime/time.ts';
import { deliveryRow, storedDelivery } from './delivery-rows.ts';
import type { EndpointHistory } from './endpoint-history.ts';
import { dispatchedEvent } from './event-store.ts';
import { claimTimestamp, lastTimestamp, releaseTimestamp } from './last-timestamps.ts';
import { announcedEvent } from './outbox.ts';
import { putPending } from './pending.ts';
import type { DispatchedRow, EventRow, PendingRow } from './rows.ts';
import type { MemoryState } from './store-state.ts';
import type { Tables } from './tables.ts';

interface RowDispatch {
  readonly row: EventRow;
  readonly plan: Omit<EventDispatch, 'event'>;
}

/** @throws Error when another event of the object has the timestamp; then no timestamp is claimed. */
const claimTimestamps = (dispatches: readonly RowDispatch[]): void => {
  for (const [index, { row, plan }] of dispatches.entries()) {
    if (claimTimestamp(row.account, row.event.objectId, plan.timestamp)) continue;
    for (const each of dispatches.slice(0, index))
      releaseTimestamp(each.row.account, each.row.event.objectId, each.plan.timestamp);
    throw new Error('Two events of one object have the same timestamp.');
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

/** Stores dispatches. @throws Error when another event of an object has the timestamp; then nothing is changed. */
const storeDispatches = (dispatches: readonly RowDispatch[], at: EpochMs, history: EndpointHistory): void => {
  claimTimestamps(dispatches);
  for (const { row, plan } of dispatches) {
    const { timestamp, endpointIds, propagates } = plan;
    row.dispatch = { at, moment: history.moment(), timestamp, endpointIds };
    const { shard, accountId } = row.account;
    shard.dispatched.add(row as DispatchedRow);
    if (!propagates) continue;
    row.isPropagating = true;
    shard.propagated.add(accountId, row);
  }
};

/** Dispatches events. @internal */
export const dispatchEvents =
  (tables: Tables, history: EndpointHistory, clock: Clock): DeliveryStore['dispatch'] =>
  async (workerId, events, pending, notBefore) => {
    if (!tables.workers.has(workerId)) return 'fenced';
    const dispatches = events.flatMap((plan): readonly RowDispatch[] => {
      const row = tables.findEvent(plan.event.accountId, plan.event.id);
      return row && !row.dispatch ? [{ row, plan }] : [];
    });
    const now = clock.now();
    storeDispatches(dispatches, Math.ceil(Math.max(now, notBefore)), history);
    for (const change of pending) {
      const event = tables.findDispatched(change.accountId, change.eventId);
      if (!event || storedDelivery(event, change.endpointId, change.replay)) continue;
      putPending(pendingRow(deliveryRow(event, change.endpointId, change.replay), change, now));
    }
    return 'stored';
  };

const announcedFields = ['objectName', 'objectId', 'type', 'occurredAt', 'storedAt'] as const;
const isAsAnnounced = (row: EventRow, event: AnnouncedEvent): boolean => {
  const own = announcedEvent(row);
  return own !== undefined && announcedFields.every((name) => own[name] === event[name]);
};

/** Dispatches announced events. @internal */
export const dispatchAnnouncedEvents =
  (
    tables: Tables,
    history: EndpointHistory,
    state: MemoryState,
    clock: Clock,
  ): NonNullable<DeliveryStore['dispatchAnnounced']> =>
  async (workerId, events, notBefore) => {
    if (!tables.workers.has(workerId)) return 'fenced';
    const { hasIncludeChildren } = state.read(0);
    const dispatches = events.flatMap(({ event, endpointVersion, ...plan }): readonly RowDispatch[] => {
      const row = tables.findEvent(event.accountId, event.id);
      if (!row || row.dispatch || hasIncludeChildren || state.versionOf(event.shard) > endpointVersion) return [];
      const { account } = row;
      const [first] = account.shard.outbox.rows(event.accountId);
      const isNext =
        first === row &&
        isAsAnnounced(row, event) &&
        plan.timestamp > (lastTimestamp(account, row.event.objectId) ?? -1);
      return isNext ? [{ row, plan: { ...plan, propagates: false } }] : [];
    });
    storeDispatches(dispatches, Math.ceil(Math.max(clock.now(), notBefore)), history);
    return events.flatMap(({ event, timestamp }) => {
      const row = tables.findDispatched(event.accountId, event.id);
      return row && row.dispatch.timestamp === timestamp && row.dispatch.at >= notBefore ? [dispatchedEvent(row)] : [];
    });
  };
