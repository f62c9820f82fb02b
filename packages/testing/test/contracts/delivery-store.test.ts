import { describe, test } from 'vitest';
import { deliveryStoreContract } from '../../src/contracts/index.ts';
import { brokenDispatch } from './broken-dispatch.ts';
import { brokenSettling } from './broken-settling.ts';
import { findsEveryFault } from './doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from './memory.ts';

describe('memory', () => {
  deliveryStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  deliveryStoreContract({ test, create: slowStorageFixture });
});

findsEveryFault(deliveryStoreContract, memoryStorageFixture, [...brokenDispatch, ...brokenSettling]);
