import { describe, test } from 'vitest';
import { deliveryStoreContract } from '../../src/contracts/delivery-store.ts';
import { memoryStorageFixture, slowStorageFixture } from './memory.ts';

describe('memory', () => {
  deliveryStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  deliveryStoreContract({ test, create: slowStorageFixture });
});
