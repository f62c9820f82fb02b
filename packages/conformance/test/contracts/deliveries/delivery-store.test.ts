import { describe, test } from 'vitest';
import { deliveryStoreContract } from '../../../src/contracts/deliveries/delivery-store.ts';
import { findsEveryFault } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';
import { brokenDispatch } from './broken-dispatch.ts';
import { brokenSettling } from './broken-settling.ts';

describe('memory', () => {
  deliveryStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  deliveryStoreContract({ test, create: slowStorageFixture });
});

findsEveryFault(deliveryStoreContract, memoryStorageFixture, [...brokenDispatch, ...brokenSettling]);
