import { describe, test } from 'vitest';
import { deliveryStoreContract } from '../../src/index.ts';
import { brokenDeliveries } from './broken-deliveries.ts';
import { findsEveryFault } from './doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from './memory.ts';

describe('memory', () => {
  deliveryStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  deliveryStoreContract({ test, create: slowStorageFixture });
});

findsEveryFault(deliveryStoreContract, memoryStorageFixture, brokenDeliveries);
