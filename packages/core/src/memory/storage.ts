import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { systemClock, systemRandom } from '../runtime/system.ts';
import type { Storage } from '../storage.ts';
import { memoryClients } from './clients.ts';
import { memoryDeliveries } from './deliveries.ts';
import { memoryEndpoints } from './endpoints.ts';
import { memoryEvents } from './events.ts';
import { memoryLog } from './log.ts';
import { memoryQueue } from './queue.ts';
import { memoryReferrals } from './referrals.ts';
import type { MemoryTransaction } from './transaction.ts';

/**
 * Storage in the memory of this process, gone with it: for tests, demonstrations and first steps. It obeys the same suites
 * as storage on a database.
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
  const deliveries = memoryDeliveries(clock);
  const events = memoryEvents(clock);
  const endpoints = memoryEndpoints(deliveries);
  const referrals = memoryReferrals(events, endpoints);
  return {
    clients: memoryClients(clock),
    endpoints,
    events,
    queue: memoryQueue({ events, endpoints, deliveries, referrals, clock, random }),
    log: memoryLog({ events, deliveries, referrals, clock, random }),
    referrals,
    transaction: events.transaction,
  };
};
