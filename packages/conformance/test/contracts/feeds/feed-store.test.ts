import { describe, test } from 'vitest';
import { feedStoreContract } from '../../../src/contracts/feeds/feed-store.ts';
import { findsEveryFault } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';
import { brokenFeeds } from './broken-feeds.ts';

describe('memory', () => {
  feedStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  feedStoreContract({ test, create: slowStorageFixture });
});

findsEveryFault(feedStoreContract, memoryStorageFixture, brokenFeeds);
