import type { ClientStore } from './clients/client-store.ts';
import type { DeliveryLog } from './deliveries/delivery-log.ts';
import type { DeliveryStore } from './deliveries/delivery-store.ts';
import type { ParentPropagation } from './deliveries/parent-propagation.ts';
import type { ShardStore } from './deliveries/shard-store.ts';
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
  readonly shards: ShardStore;
  readonly deliveries: DeliveryStore;
  readonly parents: ParentPropagation;
  readonly log: DeliveryLog;
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
