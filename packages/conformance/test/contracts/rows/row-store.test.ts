import { memoryRows } from '@partnerkit/core/memory';
import { describe, test } from 'vitest';
import { rowStoreContract } from '../../../src/contracts/index.ts';
import { storeClock } from '../../rows/support.ts';

describe('rows in memory', () => {
  rowStoreContract({
    test,
    create: async (settings) => {
      const { clock, storeNow } = storeClock(settings);
      return { storeNow, open: async (tables) => memoryRows(tables, clock) };
    },
  });
});
