import type { EpochMs } from '@partnerkit/core';
import type { Storage } from '@partnerkit/core/adapter';
import type { Fixture } from '../support/contract.ts';
import type { StoreTime } from '../support/store-time.ts';

/**
 * An empty storage, with control over its time. A host that implements one port on its own tables completes it with the
 * others of `memoryStorage`. A database needs four or more simultaneous connections; with fewer, cases block
 * themselves.
 * @example
 * const create = async ({ storeAhead }: FixtureSettings): Promise<StorageFixture<MemoryTransaction>> => {
 *   let now = Date.now() + storeAhead;
 *   return {
 *     storage: memoryStorage({ clock: { now: () => now, sleep: async () => {} } }),
 *     storeNow: async () => now,
 *     elapse: async (time) => {
 *       now += time;
 *     },
 *   };
 * };
 * @public
 */
export interface StorageFixture<Tx extends object = object> extends Fixture, StoreTime {
  /** The storage under test. */
  readonly storage: Storage<Tx>;
  /** The current time of the store. */
  storeNow(): Promise<EpochMs>;
  /**
   * Every stored value as text: every table, every key. If given, the suite asserts that it has no secret in clear
   * text.
   * @defaultValue the suite reads the ports
   */
  probe?(): Promise<string>;
}
