import type { DeliveryQueue, Pruned } from '../deliveries/delivery-queue.ts';
import type { Clock } from '../runtime/clock.ts';
import type { DeliveryRow, MemoryDeliveries } from './deliveries.ts';
import { eventKey, type MemoryEvents } from './events.ts';
import type { MemoryReferrals } from './referrals.ts';

const isFinished = (state: DeliveryRow['state']): boolean => state !== 'waiting' && state !== 'held';

/** How many of each endpoint. */
const counted = (rows: readonly DeliveryRow[]): Pruned['expired'] => {
  const counts = new Map<string, Pruned['expired'][number]>();
  for (const { endpointId, event } of rows) {
    const { deliveries = 0 } = counts.get(endpointId) ?? {};
    counts.set(endpointId, { accountId: event.accountId, endpointId, deliveries: deliveries + 1 });
  }
  return [...counts.values()];
};

/** Drops what is too old from the memory. Tokens go as others are revoked. @internal */
export const memoryPruning = (
  deliveries: MemoryDeliveries,
  events: MemoryEvents,
  referrals: MemoryReferrals,
  clock: Clock,
): DeliveryQueue['prune'] => {
  const some = (most: number, fits: (row: DeliveryRow) => boolean): readonly DeliveryRow[] => {
    const found: DeliveryRow[] = [];
    for (const row of deliveries.rows.values()) {
      if (found.length === most) break;
      if (fits(row)) found.push(row);
    }
    return found;
  };

  return async (limits) => {
    const { most } = limits;
    const [heldBy, dispatchedBy, endedBy] = [limits.held, limits.events, limits.attempts].map(
      (age) => clock.now() - age,
    ) as [number, number, number];

    const held = some(most, ({ state, since }) => state === 'held' && since <= heldBy);
    for (const row of held) {
      deliveries.finish(row, 'expired');
      row.why = 'held_too_long';
    }

    const logged = some(most, ({ attempts: [first] }) => first !== undefined && first.at <= endedBy);
    for (const row of logged) row.attempts = row.attempts.filter(({ at }) => at > endedBy);

    const finished = some(most, ({ state, since }) => isFinished(state) && since <= endedBy);
    for (const { id } of finished) deliveries.rows.delete(id);

    const needed = new Set(referrals.keys());
    for (const { state, event } of deliveries.rows.values()) if (!isFinished(state)) needed.add(eventKey(event));
    const dropped = events.prune(dispatchedBy, most, (key) => !needed.has(key));

    deliveries.history.prune(dispatchedBy);

    return {
      expired: counted(held),
      more: [held.length, logged.length, finished.length, dropped].includes(most),
    };
  };
};
