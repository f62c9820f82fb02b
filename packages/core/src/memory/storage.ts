import type { Clock } from '../runtime/clock.ts';
import { systemClock } from '../runtime/system.ts';
import { createWakes } from '../shards/wakes.ts';
import type { Storage } from '../storage/storage.ts';
import { memoryClients } from './clients.ts';
import { memoryLog } from './delivery-log.ts';
import { memoryDeliveries } from './delivery-store.ts';
import { endpointHistory } from './endpoint-history.ts';
import { memoryEndpoints } from './endpoint-store.ts';
import { memoryEvents } from './event-store.ts';
import { createUsedKeys } from './idempotency.ts';
import { createOutbox } from './outbox.ts';
import { memoryParents } from './parent-propagation.ts';
import { memoryRequests } from './requests.ts';
import { memoryShards } from './shard-store.ts';
import { createState } from './store-state.ts';
import { createTables } from './tables.ts';
import type { MemoryTransaction } from './transaction.ts';

/**
 * Storage in the memory of this process: for tests, demonstrations and first steps. Not for production: it loses its
 * data on restart. Obeys the same contract suites as storage on a database.
 * @example
 * const storage = memoryStorage();
 * await storage.transaction((tx) => kit.events.publish(event, { tx }));
 * @public
 */
export const memoryStorage = ({
  clock = systemClock,
}: {
  /** Clock of the store. @defaultValue the system's clock */
  readonly clock?: Clock;
} = {}): Storage<MemoryTransaction> => {
  const tables = createTables();
  const history = endpointHistory(clock);
  const state = createState(clock);
  const wakes = createWakes();
  const keys = createUsedKeys(clock);
  const outbox = createOutbox(tables);
  const events = memoryEvents(tables, { outbox, keys, wakes, clock });
  const endpoints = memoryEndpoints(tables, history, state, clock);
  return {
    clients: memoryClients(clock),
    endpoints,
    events,
    shards: memoryShards(tables, wakes, clock),
    deliveries: memoryDeliveries({ tables, endpoints, history, state, clock }),
    parents: memoryParents(tables, outbox, wakes, clock),
    log: memoryLog({ tables, keys, history, state, wakes, clock }),
    requests: memoryRequests(clock),
    transaction: events.transaction,
  };
};
