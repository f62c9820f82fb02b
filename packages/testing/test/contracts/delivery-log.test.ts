import { describe, test } from 'vitest';
import { deliveryLogContract } from '../../src/contracts/delivery-log.ts';
import { memoryStorageFixture, slowStorageFixture } from './memory.ts';

describe('memory', () => {
  deliveryLogContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  deliveryLogContract({ test, create: slowStorageFixture });
});
