import type { DurationMs } from '@partnerkit/core';
import type { Storage } from '@partnerkit/core/adapter';
import type { Fixture } from '../support/contract.ts';

/**
 * A storage whose stores of requests are empty. A database needs four or more simultaneous connections.
 * @example
 * const create = async (): Promise<RequestsFixture<MemoryTransaction>> => {
 *   const clock = manualClock();
 *   return { storage: memoryStorage({ clock }), elapse: async (time) => clock.pass(time) };
 * };
 * @public
 */
export interface RequestsFixture<Tx extends object = object> extends Fixture {
  /** The stores under test, with the transactions that they use, and the events that their writes store. */
  readonly storage: Pick<Storage<Tx>, 'transaction' | 'requests' | 'events' | 'deliveries'>;
  /** Advances the time of the store. */
  elapse(time: DurationMs): Promise<void>;
}
