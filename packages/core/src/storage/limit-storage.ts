import type { PortLimit } from '../runtime/port-limit.ts';
import { limitTransaction } from './limit-transaction.ts';
import type { Storage } from './storage.ts';

/** The calls of a storage that serve requests and hosts. Workers limit their own calls by their lease. @internal */
export type ServingStorage<Tx extends object> = Pick<
  Storage<Tx>,
  'clients' | 'endpoints' | 'events' | 'log' | 'transaction'
>;

/** A storage whose calls end in time. @internal */
export const limitStorage = <Tx extends object>(
  { of, call }: PortLimit,
  storage: ServingStorage<Tx>,
): ServingStorage<Tx> => ({
  clients: of('storage.clients', storage.clients, {
    insertClient: 'write',
    findClient: 'read',
    listClients: 'read',
    replaceClient: 'write',
    touchSecret: 'write',
    revokeToken: 'write',
    isTokenRevoked: 'read',
  }),
  endpoints: of('storage.endpoints', storage.endpoints, {
    insertEndpoint: 'write',
    findEndpoint: 'read',
    readHealth: 'read',
    countAttempts: 'read',
    listEndpoints: 'read',
    listAllEndpoints: 'read',
    countBySealingKey: 'read',
    replaceEndpoint: 'write',
    resumeEndpoint: 'write',
    deleteEndpoint: 'write',
  }),
  events: of('storage.events', storage.events, {
    append: 'inTransaction',
    appendAlone: 'write',
    listEvents: 'read',
    findEvent: 'read',
  }),
  log: of('storage.log', storage.log, {
    listDeliveries: 'read',
    listAttempts: 'read',
    readExplainSnapshot: 'read',
    sendAgain: 'write',
    replay: 'write',
    countBacklog: 'read',
    prune: 'write',
  }),
  transaction: limitTransaction({ call }, storage),
});
