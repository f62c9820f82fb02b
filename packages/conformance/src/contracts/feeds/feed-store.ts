import type { StorageFixture } from '../storage/storage-fixture.ts';
import { type ContractOptions, runCases } from '../support/contract.ts';
import { feedAppends } from './feed-appends.ts';
import { feedEnds } from './feed-ends.ts';
import { feedReads } from './feed-reads.ts';

/**
 * Tests the obligations of a `FeedStore`: the order of numbers above all. An entry that is committed behind a number
 * that was read is lost for its reader.
 */
export const feedStoreContract = (options: ContractOptions<StorageFixture>): void =>
  runCases({ ...feedAppends, ...feedReads, ...feedEnds }, options);
