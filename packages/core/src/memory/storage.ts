import type { DeliveryLog } from '../deliveries/delivery-log.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { systemClock, systemRandom } from '../runtime/system.ts';
import type { Storage } from '../storage.ts';
import { memoryClients } from './clients.ts';
import { type DeliveryRow, memoryDeliveries } from './deliveries.ts';
import { memoryEndpoints } from './endpoints.ts';
import { memoryEvents } from './events.ts';
import { memoryQueue } from './queue.ts';
import type { MemoryTransaction } from './transaction.ts';

const deliveryOf = ({ id, event, endpointId, state, counted }: DeliveryRow) => ({
  id,
  eventId: event.id,
  endpointId,
  state,
  attempts: counted,
});

/**
 * Storage in the memory of this process, gone with it: for tests, demonstrations and first steps. It obeys the same suites
 * as storage on a database, and keeps every event, delivery and attempt.
 * @example
 * const storage = memoryStorage();
 * await storage.transaction((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const memoryStorage = ({
  clock = systemClock,
  random = systemRandom,
}: {
  readonly clock?: Clock;
  readonly random?: Random;
} = {}): Storage<MemoryTransaction> => {
  const deliveries = memoryDeliveries();
  const events = memoryEvents(clock);
  const endpoints = memoryEndpoints(deliveries);
  const owned = (accountId: string, deliveryId: string): DeliveryRow | undefined => {
    const row = deliveries.rows.get(deliveryId);
    return row?.event.accountId === accountId ? row : undefined;
  };
  const log: DeliveryLog = {
    listDeliveries: async (accountId, { endpointId, state }, page) => {
      const fits = (row: DeliveryRow): boolean =>
        row.event.accountId === accountId &&
        (endpointId ?? row.endpointId) === row.endpointId &&
        (state ?? row.state) === row.state;
      const { items, ...rest } = deliveries.rows.page(fits, page);
      return { ...rest, items: items.map(deliveryOf) };
    },
    listAttempts: async (accountId, deliveryId) => [...(owned(accountId, deliveryId)?.attempts ?? [])],
  };
  return {
    clients: memoryClients(clock),
    endpoints,
    events,
    queue: memoryQueue({ events, endpoints, deliveries, clock, random }),
    log,
    transaction: events.transaction,
  };
};
