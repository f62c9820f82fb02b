import { describe, test } from 'vitest';
import { shardStoreContract } from '../../../src/contracts/shards/shard-store.ts';
import { findsEveryFault } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';
import { brokenShards } from './broken-shards.ts';

describe('memory', () => {
  shardStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  shardStoreContract({ test, create: slowStorageFixture });
});

findsEveryFault(shardStoreContract, memoryStorageFixture, brokenShards);
