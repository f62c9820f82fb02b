import type { Endpoint } from '../endpoints/endpoint.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { MemoryDeliveries } from './deliveries.ts';
import { createTable } from './table.ts';

/** @internal */
export interface MemoryEndpoints extends EndpointStore {
  ofAccount(accountId: string): readonly Endpoint[];
}

/** @internal */
export const memoryEndpoints = (deliveries: MemoryDeliveries): MemoryEndpoints => {
  const table = createTable<Endpoint>();
  const ids = new Map<string, Set<string>>();

  const ofAccount = (accountId: string): readonly Endpoint[] =>
    [...(ids.get(accountId) ?? [])]
      .map((id) => deliveries.endpoints.get(id))
      .filter((endpoint) => endpoint !== undefined);
  const owned = (accountId: string, endpointId: string): Endpoint | undefined => {
    const endpoint = table.get(endpointId);
    return endpoint?.accountId === accountId ? endpoint : undefined;
  };
  /** Those under a lease are decided when they are settled or taken over. */
  const unleased = (endpointId: string) => deliveries.waiting(endpointId).filter((row) => !row.lease);

  return {
    ofAccount,
    insertEndpoint: async (endpoint, most) => {
      const known = ids.get(endpoint.accountId) ?? new Set();
      if (known.size >= most) return false;
      table.insert(endpoint.id, endpoint);
      deliveries.endpoints.set(endpoint.id, endpoint);
      ids.set(endpoint.accountId, known.add(endpoint.id));
      return true;
    },
    findEndpoint: async (accountId, endpointId) => owned(accountId, endpointId),
    listEndpoints: async (accountId, page) => table.page((endpoint) => endpoint.accountId === accountId, page),
    replaceEndpoint: async (endpoint) => {
      const held = owned(endpoint.accountId, endpoint.id);
      if (held?.version !== endpoint.version) return false;
      const next = { ...endpoint, version: endpoint.version + 1 };
      table.replace(next.id, next);
      deliveries.endpoints.set(next.id, next);
      if (held.state === 'enabled' && next.state !== 'enabled') for (const row of unleased(next.id)) row.state = 'held';
      if (held.state !== 'enabled' && next.state === 'enabled')
        for (const row of deliveries.held(next.id)) deliveries.wait(row, row.dueAt);
      return true;
    },
    deleteEndpoint: async (accountId, endpointId) => {
      if (!owned(accountId, endpointId)) return false;
      table.delete(endpointId);
      deliveries.endpoints.delete(endpointId);
      const left = ids.get(accountId);
      left?.delete(endpointId);
      if (left?.size === 0) ids.delete(accountId);
      for (const row of [...deliveries.held(endpointId), ...unleased(endpointId)]) deliveries.finish(row, 'expired');
      return true;
    },
  };
};
