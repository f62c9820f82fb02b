import { describe, test } from 'vitest';
import { shardStoreContract } from '../../src/contracts/shard-store.ts';
import { memoryStorageFixture, slowStorageFixture } from './memory.ts';

describe('memory', () => {
  shardStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  shardStoreContract({ test, create: slowStorageFixture });
});
