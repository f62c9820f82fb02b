import type { ClientStore } from '../../access/clients/client-store.ts';
import type { AlertStore } from '../../base/alerts/alert-store.ts';
import type { AuditStore } from '../../base/audit/audit-store.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { Transactions } from '../../base/transactions/transactions.ts';
import type { RequestStores } from '../../requests/stores/stores.ts';
import type { DeliveryStore } from '../../webhooks/deliveries/delivery-store.ts';
import type { HandlerStore } from '../../webhooks/deliveries/handler-store.ts';
import type { ParentPropagation } from '../../webhooks/deliveries/parent-propagation.ts';
import type { EndpointStore } from '../../webhooks/endpoints/endpoint-store.ts';
import type { EventStore } from '../../webhooks/events/event-store.ts';
import type { FeedStore } from '../../webhooks/feeds/feed-store.ts';
import type { DeliveryLog } from '../../webhooks/log/delivery-log.ts';
import type { SendingStore } from '../../webhooks/sending/sending-store.ts';
import type { ShardStore } from '../../webhooks/shards/shard-store.ts';
import type { SecretIdStore } from './secret-id-store.ts';

/**
 * Port: all durable state. `Tx` is the type of the transactions that `publish` joins, such as a `pg` client or a Kysely
 * transaction.
 * @public
 */
export interface Storage<Tx extends object> extends Transactions<Tx> {
  /** Clients and revoked tokens. */
  readonly clients: ClientStore;
  /** Webhook endpoints. */
  readonly endpoints: EndpointStore<Tx>;
  readonly events: EventStore<Tx>;
  /** Membership of workers and ownership of shards. */
  readonly shards: ShardStore;
  /** Deliveries, as workers process them. */
  readonly deliveries: DeliveryStore;
  /** Propagation of events of child accounts to their parents. */
  readonly parents: ParentPropagation;
  /** Feeds of pull endpoints. */
  readonly feeds: FeedStore;
  /** Handlers of the host and their deliveries. */
  readonly handlers: HandlerStore<Tx>;
  /** The audit trail. */
  readonly audit: AuditStore<Tx>;
  /** Addresses of accounts for alerts. */
  readonly alerts: AlertStore;
  /** Pauses of sending. */
  readonly sending: SendingStore;
  /** Deliveries and attempts, as hosts and partners read them. */
  readonly log: DeliveryLog;
  /** Payment requests, security deposits, cash-outs, their templates and idempotency keys, for `createRequests`. */
  readonly requests: RequestStores<Tx>;
  /** Ids of the secrets with which the storage was used. */
  readonly secretIds: SecretIdStore;
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
