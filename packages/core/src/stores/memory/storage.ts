import type { Clock } from '../../base/runtime/clock.ts';
import { systemClock } from '../../base/runtime/system.ts';
import { type MemoryTransaction, memoryRows } from '../rows/memory/memory-rows.ts';
import { rowStorage } from '../rows/storage.ts';
import { rowTables } from '../rows/tables/index.ts';
import type { Storage } from '../storage/storage.ts';

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
} = {}): Storage<MemoryTransaction> => rowStorage(memoryRows(rowTables, clock));
