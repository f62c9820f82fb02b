import { sealingKeyId } from '../crypto/seal.ts';
import type { DisabledBy } from '../deliveries/explain.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { MemoryDeliveries } from './deliveries.ts';
import { createTable } from './table.ts';

/** @internal */
export interface MemoryEndpoints extends EndpointStore {
  ofAccount(accountId: string): readonly Endpoint[];
  /** Any receives the events of children. */
  anyIncludesChildren(): boolean;
  /** An endpoint as its breaker disables it: with its next version. */
  disable(endpoint: Endpoint, by: DisabledBy): void;
}

/** @internal */
export const memoryEndpoints = (deliveries: MemoryDeliveries): MemoryEndpoints => {
  const table = createTable<Endpoint>();
  const ids = new Map<string, Set<string>>();
  const including = new Set<string>();

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

  const noteChildren = ({ id, includeChildren, state }: Endpoint): void => {
    if (includeChildren && state !== 'disabled') including.add(id);
    else including.delete(id);
  };

  /** What leaves `enabled` is held, and what returns to it is released; how the endpoint failed before is forgotten. */
  const put = (held: Endpoint, changed: Endpoint, by?: DisabledBy): void => {
    const next = { ...changed, version: held.version + 1 };
    deliveries.history.note(next, by);
    table.replace(next.id, next);
    deliveries.endpoints.set(next.id, next);
    noteChildren(next);
    if ((held.state === 'enabled') === (next.state === 'enabled')) return;
    deliveries.health.delete(next.id);
    if (held.state === 'enabled') for (const row of unleased(next.id)) deliveries.hold(row);
    else for (const row of deliveries.held(next.id)) deliveries.wait(row, row.dueAt);
  };

  return {
    ofAccount,
    anyIncludesChildren: () => including.size > 0,
    disable: (endpoint, by) => put(endpoint, { ...endpoint, state: 'disabled_by_breaker' }, by),
    insertEndpoint: async (endpoint, most) => {
      const known = ids.get(endpoint.accountId) ?? new Set();
      if (known.size >= most) return false;
      table.insert(endpoint.id, endpoint);
      deliveries.endpoints.set(endpoint.id, endpoint);
      noteChildren(endpoint);
      deliveries.history.note(endpoint);
      ids.set(endpoint.accountId, known.add(endpoint.id));
      return true;
    },
    findEndpoint: async (accountId, endpointId) => owned(accountId, endpointId),
    listEndpoints: async (accountId, page) => table.page((endpoint) => endpoint.accountId === accountId, page),
    listAllEndpoints: async (page) => table.page(() => true, page),
    countBySealingKey: async () => {
      const counts = new Map<string, number>();
      for (const { secret, nextSecret, apiKey } of table.values()) {
        const sealed = [secret, nextSecret, apiKey?.value].filter((value) => value !== undefined);
        for (const keyId of new Set(sealed.map(sealingKeyId))) counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
      }
      return [...counts].map(([keyId, endpoints]) => ({ keyId, endpoints }));
    },
    replaceEndpoint: async (endpoint) => {
      const held = owned(endpoint.accountId, endpoint.id);
      if (held?.version !== endpoint.version) return false;
      put(held, endpoint);
      return true;
    },
    deleteEndpoint: async (accountId, endpointId) => {
      if (!owned(accountId, endpointId)) return false;
      table.delete(endpointId);
      including.delete(endpointId);
      deliveries.history.end(endpointId);
      deliveries.endpoints.delete(endpointId);
      deliveries.health.delete(endpointId);
      const left = ids.get(accountId);
      left?.delete(endpointId);
      if (left?.size === 0) ids.delete(accountId);
      for (const row of [...deliveries.held(endpointId), ...unleased(endpointId)]) deliveries.finish(row, 'expired');
      return true;
    },
  };
};
