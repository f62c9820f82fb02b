import { type Clock, type RowStore, rowStorage, rowTables } from '@partnerkit/core/adapter';
import { type MemoryTransaction, memoryRows } from '@partnerkit/core/memory';
import type { FixtureSettings, StorageFixture } from '../../src/contracts/index.ts';
import { inLockOrder } from './lock-order.ts';

/** A store's clock that stands still until time elapses. */
export const storeClock = ({ storeAhead }: FixtureSettings) => {
  let now = Date.UTC(2025, 6, 1, 12) + storeAhead;
  const clock: Clock = { now: () => now, sleep: async () => {} };
  return {
    clock,
    storeNow: async () => now,
    elapse: async (time: number) => {
      now += time;
    },
  };
};

/** Storage over rows in memory. */
export const rowStorageFixture = async (
  settings: FixtureSettings,
  wrap: (store: RowStore<MemoryTransaction>) => RowStore<MemoryTransaction> = inLockOrder,
): Promise<StorageFixture<MemoryTransaction>> => {
  const { clock, ...time } = storeClock(settings);
  return { ...time, storage: rowStorage(wrap(memoryRows(rowTables, clock))) };
};
