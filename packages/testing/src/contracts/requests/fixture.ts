import type { Storage } from '@partnerkit/core/ports';
import type { RequestStores } from '@partnerkit/core/requests';
import type { DurationMs } from '@partnerkit/core/time';
import type { Fixture } from '../support/contract.ts';

/**
 * Empty stores, and the storage for their transactions. A database needs four or more simultaneous connections.
 * @example
 * const create = async (): Promise<RequestsFixture<MemoryTransaction>> => {
 *   const clock = manualClock();
 *   return { storage: memoryStorage(), stores: memoryRequests({ clock }), elapse: async (time) => clock.pass(time) };
 * };
 * @public
 */
export interface RequestsFixture<Tx extends object = object> extends Fixture {
  /** The storage whose transactions the stores use. */
  readonly storage: Pick<Storage<Tx>, 'transaction'>;
  /** The stores under test. */
  readonly stores: RequestStores<Tx>;
  /** Advances the time of the store. */
  elapse(time: DurationMs): Promise<void>;
}
