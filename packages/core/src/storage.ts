import type { ClientStore } from './clients/client-store.ts';
import type { DeliveryLog } from './deliveries/delivery-log.ts';
import type { DeliveryQueue } from './deliveries/delivery-queue.ts';
import type { Referrals } from './deliveries/referrals.ts';
import type { EndpointStore } from './endpoints/endpoint-store.ts';
import type { EventStore } from './events/event-store.ts';
import type { EpochMs } from './runtime/time.ts';

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
  /** Whether the store can be used, for `kit.check()`. Rejects when it cannot be reached. */
  check?(): Promise<StorageCheck>;
}

/**
 * What a store says of itself.
 * @public
 */
export interface StorageCheck {
  /** The time by the store's clock; absent where it could not be asked. */
  readonly now?: EpochMs;
  /** What must be done before it can be used, such as to migrate, a sentence each. Empty: it can be used. */
  readonly findings: readonly string[];
}
