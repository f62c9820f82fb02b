import type { AuditStore } from '../../base/audit/audit-store.ts';
import { limitWatch, type PortLimit } from '../../base/runtime/port-limit.ts';
import { limitTransaction } from '../../base/transactions/limit-transaction.ts';
import { limitStores } from '../../requests/stores/limit-stores.ts';
import type { FeedStore } from '../../webhooks/feeds/feed-store.ts';
import type { ShardStore } from '../../webhooks/shards/shard-store.ts';
import type { Storage } from './storage.ts';

/** The calls of a storage that serve requests and hosts. Workers limit their own calls by their lease. */
export type ServingStorage<Tx extends object> = Pick<
  Storage<Tx>,
  | 'alerts'
  | 'audit'
  | 'clients'
  | 'endpoints'
  | 'events'
  | 'feeds'
  | 'handlers'
  | 'sending'
  | 'log'
  | 'requests'
  | 'transaction'
  | 'maxTransactions'
> & { readonly shards: Pick<ShardStore, 'hasWorkers'> };

/** A storage whose calls end in time. */
export const limitStorage = <Tx extends object>(limit: PortLimit, storage: ServingStorage<Tx>): ServingStorage<Tx> => ({
  clients: limit.of('storage.clients', storage.clients, {
    insertClient: 'write',
    findClient: 'read',
    listClients: 'read',
    listAllClients: 'read',
    replaceClient: 'write',
    deleteClient: 'write',
    touchSecret: 'write',
    noteRefusal: 'write',
    addUsage: 'write',
    readUsage: 'read',
    revokeToken: 'write',
    isTokenRevoked: 'read',
  }),
  endpoints: limit.of('storage.endpoints', storage.endpoints, {
    insertEndpoint: 'write',
    findEndpoint: 'read',
    readHealth: 'read',
    listEndpoints: 'read',
    listAllEndpoints: 'read',
    countBySealingKey: 'read',
    countByProfile: 'read',
    replaceEndpoint: 'write',
    resumeEndpoint: 'write',
    deleteEndpoint: 'write',
  }),
  events: limit.of('storage.events', storage.events, {
    append: 'inTransaction',
    appendAlone: 'write',
    listEvents: 'read',
    findEvent: 'read',
  }),
  feeds: {
    ...limit.of<Omit<FeedStore, 'watchFeeds'>>('storage.feeds', storage.feeds, {
      readFeed: 'read',
      noteAsked: 'write',
      readProgress: 'read',
      findEntry: 'read',
    }),
    watchFeeds: limitWatch(limit, 'storage.feeds.watchFeeds', (onWake: Parameters<FeedStore['watchFeeds']>[0]) =>
      storage.feeds.watchFeeds(onWake),
    ),
  },
  handlers: limit.of<Storage<Tx>['handlers']>('storage.handlers', storage.handlers, {
    register: 'write',
    claim: 'write',
    settle: 'write',
    listHandlers: 'read',
    listDeliveries: 'read',
    sendAgain: 'write',
    removeHandler: 'write',
  }),
  audit: limit.of<AuditStore<Tx>>('storage.audit', storage.audit, {
    tell: 'inTransaction',
    listEntries: 'read',
    readChains: 'read',
    readUnlinkedShards: 'read',
    readUnlinked: 'read',
    link: 'write',
    readLinked: 'read',
    pruneEntries: 'write',
  }),
  alerts: limit.of('storage.alerts', storage.alerts, {
    findAddress: 'read',
    setAddress: 'write',
    insertAddress: 'write',
  }),
  sending: limit.of('storage.sending', storage.sending, { pause: 'write', resume: 'write', listPauses: 'read' }),
  log: limit.of('storage.log', storage.log, {
    listDeliveries: 'read',
    listAttempts: 'read',
    readExplainSnapshot: 'read',
    sendAgain: 'write',
    replay: 'write',
    readStatistics: 'read',
    countBacklog: 'read',
    readFailing: 'read',
    readFailedHours: 'read',
    deleteFailedHours: 'write',
    readHealthSnapshot: 'read',
    prune: 'write',
  }),
  shards: limit.of<Pick<ShardStore, 'hasWorkers'>>('storage.shards', storage.shards, { hasWorkers: 'read' }),
  requests: limitStores(limit, storage.requests),
  transaction: limitTransaction(limit, storage),
  maxTransactions: storage.maxTransactions,
});
