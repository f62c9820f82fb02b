import { describe, test } from 'vitest';
import { deliveryQueueContract } from '../../src/index.ts';
import { brokenBreakers } from './broken-breakers.ts';
import { brokenClaims } from './broken-claims.ts';
import { brokenDispatches } from './broken-dispatches.ts';
import { brokenPauses } from './broken-pauses.ts';
import { brokenPrunings } from './broken-prunings.ts';
import { brokenSettlements } from './broken-settlements.ts';
import { findsEveryFault } from './doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from './memory.ts';

describe('memory', () => {
  deliveryQueueContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  deliveryQueueContract({ test, create: slowStorageFixture });
});

findsEveryFault(deliveryQueueContract, memoryStorageFixture, [
  ...brokenDispatches,
  ...brokenClaims,
  ...brokenSettlements,
  ...brokenBreakers,
  ...brokenPauses,
  ...brokenPrunings,
]);
