import type { DeliveryLog } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { deliveryLogContract } from '../../../src/contracts/log/delivery-log.ts';
import { brokenPages, type List } from '../support/broken-pages.ts';
import { breakPort, findsEveryFault } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';
import { brokenExplaining } from './broken-explaining.ts';
import { brokenFailedHours } from './broken-failed-hours.ts';
import { brokenHealth } from './broken-health.ts';
import { brokenLogs } from './broken-logs.ts';
import { brokenPruning } from './broken-pruning.ts';

describe('memory', () => {
  deliveryLogContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  deliveryLogContract({ test, create: slowStorageFixture });
});

const ofPages = brokenPages('deliveries').map(({ how, breaks, of }) =>
  breakPort('log')(how, breaks, ({ listDeliveries }) => ({
    listDeliveries: (accountId, filter, request) =>
      of((account, page) => listDeliveries(account, filter, page) as ReturnType<List>)(
        accountId,
        request,
      ) as ReturnType<DeliveryLog['listDeliveries']>,
  })),
);

findsEveryFault(deliveryLogContract, memoryStorageFixture, [
  ...brokenLogs,
  ...brokenExplaining,
  ...brokenHealth,
  ...brokenPruning,
  ...brokenFailedHours,
  ...ofPages,
]);
