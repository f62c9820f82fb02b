import type { DurationMs, Storage } from '@partnerkit/core';
import type { RequestStores } from '@partnerkit/core/requests';
import type { Fixture } from './contract.ts';

/**
 * Empty stores, and the storage whose transactions they write in. On a database, four connections at once or more.
 * @example
 * const create = async (): Promise<RequestsFixture<MemoryTransaction>> => {
 *   const clock = manualClock();
 *   return { storage: memoryStorage(), stores: memoryRequests({ clock }), elapse: async (time) => clock.pass(time) };
 * };
 * @public
 */
export interface RequestsFixture<Tx extends object = object> extends Fixture {
  readonly storage: Pick<Storage<Tx>, 'transaction'>;
  readonly stores: RequestStores<Tx>;
  /** Lets the store's time pass. */
  elapse(time: DurationMs): Promise<void>;
}
