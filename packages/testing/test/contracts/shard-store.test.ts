import { describe, test } from 'vitest';
import { shardStoreContract } from '../../src/contracts/index.ts';
import { brokenShards } from './broken-shards.ts';
import { findsEveryFault } from './doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from './memory.ts';

describe('memory', () => {
  shardStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  shardStoreContract({ test, create: slowStorageFixture });
});

findsEveryFault(shardStoreContract, memoryStorageFixture, brokenShards);
