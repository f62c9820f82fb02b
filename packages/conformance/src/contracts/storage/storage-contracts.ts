import { alertStoreContract } from '../alerts/alert-store.ts';
import { auditStoreContract } from '../audit/audit-store.ts';
import { clientStoreContract } from '../clients/client-store.ts';
import { deliveryStoreContract } from '../deliveries/delivery-store.ts';
import { parentPropagationContract } from '../deliveries/parent-propagation.ts';
import { endpointStoreContract } from '../endpoints/endpoint-store.ts';
import { eventStoreContract } from '../events/event-store.ts';
import { feedStoreContract } from '../feeds/feed-store.ts';
import { handlerStoreContract } from '../handlers/handler-store.ts';
import { deliveryLogContract } from '../log/delivery-log.ts';
import { requestStoresContract } from '../requests/stores.ts';
import { sendingStoreContract } from '../sending/sending-store.ts';
import { shardStoreContract } from '../shards/shard-store.ts';
import type { ContractOptions } from '../support/contract.ts';
import { storageContract } from './storage.ts';
import type { StorageFixture } from './storage-fixture.ts';

/** A suite that a storage is held to. */
type StorageContract = (options: ContractOptions<StorageFixture>) => void;

/**
 * Every suite that a storage is held to, by what it tests: the ports of a storage, its stores of requests, and what
 * holds over all of them. `create` is called once a case, as {@link StorageFixture} shows it.
 * @example
 * for (const contract of Object.values(storageContracts)) contract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const storageContracts = {
  /** Obligations of `ClientStore`. */
  clients: clientStoreContract,
  /** Obligations of `EndpointStore`. */
  endpoints: endpointStoreContract,
  /** Obligations of `EventStore`. */
  events: eventStoreContract,
  /** Obligations of `ShardStore`. */
  shards: shardStoreContract,
  /** Obligations of `DeliveryStore`. */
  deliveries: deliveryStoreContract,
  /** Events of children that reach their parents. */
  parents: parentPropagationContract,
  /** Obligations of `FeedStore`. */
  feeds: feedStoreContract,
  /** Obligations of `HandlerStore`. */
  handlers: handlerStoreContract,
  /** Obligations of `AuditStore`. */
  audit: auditStoreContract,
  /** Obligations of `AlertStore`. */
  alerts: alertStoreContract,
  /** Obligations of `SendingStore`. */
  sending: sendingStoreContract,
  /** Obligations of `DeliveryLog`. */
  log: deliveryLogContract,
  /** Obligations of `RequestStores`. */
  requests: requestStoresContract,
  /** What holds over all ports of one storage. */
  storage: storageContract,
} satisfies Readonly<Record<string, StorageContract>>;
