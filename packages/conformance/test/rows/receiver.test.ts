import { rowInbox, rowSeenKeys, rowTables } from '@partnerkit/core/adapter';
import { memoryRows } from '@partnerkit/core/memory';
import { describe, test } from 'vitest';
import { inboxContract, latestTimestampsContract, seenKeysContract } from '../../src/contracts/index.ts';
import { createPrng } from '../../src/simulator/prng.ts';
import { inLockOrder } from './lock-order.ts';
import { storeClock } from './support.ts';

describe('seen keys over rows', () => {
  seenKeysContract({
    test,
    create: async (settings) => {
      const { clock, elapse } = storeClock(settings);
      return { seen: rowSeenKeys(inLockOrder(memoryRows(rowTables, clock)), createPrng(1)), elapse };
    },
  });
});

describe('an inbox over rows', () => {
  inboxContract({
    test,
    create: async (settings) => {
      const { clock, elapse } = storeClock(settings);
      return { inbox: rowInbox(inLockOrder(memoryRows(rowTables, clock)), createPrng(1)), elapse };
    },
  });
});

describe.each([
  ['seen keys', rowSeenKeys],
  ['an inbox', rowInbox],
] as const)('the latest timestamps of %s over rows', (_name, make) => {
  latestTimestampsContract({
    test,
    create: async (settings) => {
      const { clock, elapse } = storeClock(settings);
      const rows = inLockOrder(memoryRows(rowTables, clock));
      return { latest: make(rows, createPrng(1)), transaction: rows.transaction, elapse } as never;
    },
  });
});
