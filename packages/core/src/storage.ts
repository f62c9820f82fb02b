import type { ClientStore } from './clients/client-store.ts';
import type { DeliveryLog } from './deliveries/delivery-log.ts';
import type { DeliveryQueue } from './deliveries/delivery-queue.ts';
import type { Referrals } from './deliveries/referrals.ts';
import type { EndpointStore } from './endpoints/endpoint-store.ts';
import type { EventStore } from './events/event-store.ts';

/**
 * Everything durable. `Tx` is what `publish` joins: a `pg` client, a Kysely transaction, …
 * @public
 */
export interface Storage<Tx extends object> {
  readonly clients: ClientStore;
  readonly endpoints: EndpointStore;
  readonly events: EventStore<Tx>;
  readonly queue: DeliveryQueue;
  readonly log: DeliveryLog;
  readonly referrals: Referrals;
  /** Commits when `work` resolves, rolls back when it rejects (and rejects with the same). */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}
