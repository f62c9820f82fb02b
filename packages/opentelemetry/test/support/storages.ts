import type { DurationMs } from '@partnerkit/core';
import { type Clock, type Storage, systemClock } from '@partnerkit/core/adapter';
import { memoryStorage } from '@partnerkit/core/memory';
import { beforeEach, inject } from 'vitest';
// An adapter and its tests know no other: but one trace has to span storage that is real.
import { postgresStorage } from '../../../postgres/src/index.ts';
import { useDatabase } from '../../../postgres/test/support/fixtures.ts';

interface OpenStorage {
  readonly storage: Storage<object>;
  /** Moves the store's clock on. */
  readonly elapse: (time: DurationMs) => Promise<void>;
}

const inMemory = (): OpenStorage => {
  let ahead = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
  return {
    storage: memoryStorage({ clock }) as unknown as Storage<object>,
    elapse: async (time) => {
      ahead += time;
    },
  };
};

/** Opens a storage for a test, once for each kind. */
export const useStorages = (): readonly (readonly [name: string, open: () => OpenStorage])[] => {
  const database = useDatabase(inject('postgres'));
  beforeEach(() => database.reset({ storeAhead: 0 }));
  const onPostgres = (): OpenStorage => ({
    storage: postgresStorage(database.pool()) as unknown as Storage<object>,
    elapse: database.elapse,
  });
  return [
    ['in memory', inMemory],
    ['on PostgreSQL', onPostgres],
  ];
};
