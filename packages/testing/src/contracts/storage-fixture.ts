import type { EpochMs, Storage } from '@partnerkit/core';
import type { Fixture } from './contract.ts';
import type { StoreTime } from './store-time.ts';

/**
 * Empty storage, and a hand on its time. A host that implements one port on its own tables completes it with the others of
 * `memoryStorage`. One on a database gives four connections at once, or more: with fewer, cases wait for themselves.
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
  readonly storage: Storage<Tx>;
  /** What the store's clock says. */
  storeNow(): Promise<EpochMs>;
  /** All that is stored, as text: every table, every key. Where it is given, no clear secret may be in it. */
  probe?(): Promise<string>;
}
