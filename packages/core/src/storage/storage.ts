import type { ClientStore } from '../clients/client-store.ts';
import type { DeliveryStore } from '../deliveries/delivery-store.ts';
import type { ParentPropagation } from '../deliveries/parent-propagation.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { EventStore } from '../events/event-store.ts';
import type { DeliveryLog } from '../log/delivery-log.ts';
import type { RequestStores } from '../requests/stores.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { ShardStore } from '../shards/shard-store.ts';
import type { Transactions } from '../transactions/transactions.ts';

/**
 * Port: all durable state. `Tx` is the type of the transactions that `publish` joins, such as a `pg` client or a Kysely
 * transaction.
 * @public
 */
export interface Storage<Tx extends object> extends Transactions<Tx> {
  /** Clients and revoked tokens. */
  readonly clients: ClientStore;
  /** Webhook endpoints. */
  readonly endpoints: EndpointStore;
  /** Events. */
  readonly events: EventStore<Tx>;
  /** Membership of workers and ownership of shards. */
  readonly shards: ShardStore;
  /** Deliveries, as workers process them. */
  readonly deliveries: DeliveryStore;
  /** Propagation of events of child accounts to their parents. */
  readonly parents: ParentPropagation;
  /** Deliveries and attempts, as hosts and partners read them. */
  readonly log: DeliveryLog;
  /** Payment requests, security deposits, cash-outs, their templates and idempotency keys, for `createRequests`. */
  readonly requests: RequestStores<Tx>;
  /** Whether the storage is usable, for `kit.check()`. Rejects when it cannot be reached. @defaultValue no findings */
  check?(): Promise<StorageCheck>;
}

/**
 * State of a storage, for `kit.check()`.
 * @public
 */
export interface StorageCheck {
  /** Time of the storage's clock, in milliseconds since 1970; absent when it could not be read. */
  readonly now?: EpochMs;
  /** Steps that are needed before use, such as a migration, one sentence each. Empty: the storage is usable. */
  readonly findings: readonly string[];
  /** Settings with which the storage works until something fails, one sentence each. @defaultValue none */
  readonly warnings?: readonly string[];
}
