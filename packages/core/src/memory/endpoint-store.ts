import { sealingKeyId } from '../crypto/seal.ts';
import type { DisabledBy, Endpoint } from '../endpoints/endpoint.ts';
import type { EndpointHealth, EndpointStore, StoredSealingKeyCount } from '../endpoints/endpoint-store.ts';
import type { Clock } from '../runtime/clock.ts';
import { pausedUntil } from './endpoint-health.ts';
import type { EndpointHistory } from './endpoint-history.ts';
import type { EndpointRow } from './rows.ts';
import type { MemoryState } from './store-state.ts';
import type { Tables } from './tables.ts';

/** The endpoints, as other parts of the memory use them. @internal */
export interface MemoryEndpoints extends EndpointStore {
  /** Disables an enabled endpoint of this version. Returns whether it did. */
  disable(accountId: string, endpointId: string, version: number, by: DisabledBy): boolean;
}

const includes = ({ includeChildren, state }: Endpoint): 0 | 1 => (includeChildren && state !== 'disabled' ? 1 : 0);
const isEnabled = ({ state }: Endpoint): boolean => state === 'enabled';
const endpointOf = ({ endpoint }: EndpointRow): Endpoint => endpoint;

/** The endpoints in memory. @internal */
export const memoryEndpoints = (
  { endpoints: table, accountOf, findAccount }: Tables,
  history: EndpointHistory,
  state: MemoryState,
  clock: Clock,
): MemoryEndpoints => {
  const find = (accountId: string, endpointId: string): EndpointRow | undefined =>
    findAccount(accountId)?.endpoints.get(endpointId);

  const replace = (row: EndpointRow, changed: Endpoint, by?: DisabledBy): void => {
    const { endpoint: before } = row;
    row.endpoint = { ...changed, version: before.version + 1 };
    history.note(row.endpoint, by);
    const including = (includes(row.endpoint) - includes(before)) as -1 | 0 | 1;
    state.raise(accountOf(before.accountId).shard.shard, including);
    if (isEnabled(row.endpoint) === isEnabled(before)) return;
    row.health = undefined;
    row.since = clock.now();
  };

  return {
    disable: (accountId, endpointId, version, by) => {
      const row = find(accountId, endpointId);
      if (row?.endpoint.version !== version || !isEnabled(row.endpoint)) return false;
      replace(row, { ...row.endpoint, state: 'disabled_by_breaker' }, by);
      return true;
    },
    insertEndpoint: async (endpoint, most) => {
      const { endpoints, shard } = accountOf(endpoint.accountId);
      if (endpoints.size >= most) return false;
      const row = { endpoint, since: clock.now(), health: undefined };
      table.insert(endpoint.id, row);
      endpoints.set(endpoint.id, row);
      history.note(endpoint);
      state.raise(shard.shard, includes(endpoint));
      return true;
    },
    findEndpoint: async (accountId, endpointId) => find(accountId, endpointId)?.endpoint,
    readHealth: async (accountId, endpointIds) => {
      const now = clock.now();
      return endpointIds.flatMap((endpointId): readonly EndpointHealth[] => {
        const row = find(accountId, endpointId);
        if (!row) return [];
        const disabledBy = history.disabledBy(endpointId);
        if (disabledBy) return [{ endpointId, failures: 0, disabledBy, disabledSince: row.since }];
        if (!row.health) return [];
        const { failures, failingSince } = row.health;
        const until = pausedUntil(row.health);
        return [{ endpointId, failures, failingSince, ...(until > now ? { pausedUntil: until } : {}) }];
      });
    },
    listEndpoints: async (accountId, page) => {
      const { items, ...rest } = table.page(({ endpoint }) => endpoint.accountId === accountId, page);
      return { ...rest, items: items.map(endpointOf) };
    },
    listAllEndpoints: async (page) => {
      const { items, ...rest } = table.page(() => true, page);
      return { ...rest, items: items.map(endpointOf) };
    },
    countBySealingKey: async () => {
      const counts = new Map<string, StoredSealingKeyCount>();
      for (const { endpoint } of table.values()) {
        const { secret, nextSecret, deliveryHeader } = endpoint;
        const sealed = [secret, nextSecret, deliveryHeader?.value].filter((value) => value !== undefined);
        for (const keyId of new Set(sealed.map(sealingKeyId)))
          counts.set(keyId, { keyId, endpoints: (counts.get(keyId)?.endpoints ?? 0) + 1, sample: endpoint });
      }
      return [...counts.values()];
    },
    replaceEndpoint: async (endpoint) => {
      const row = find(endpoint.accountId, endpoint.id);
      if (row?.endpoint.version !== endpoint.version) return false;
      replace(row, endpoint);
      return true;
    },
    resumeEndpoint: async (accountId, endpointId, version) => {
      const row = find(accountId, endpointId);
      if (row?.endpoint.version !== version) return false;
      replace(row, row.endpoint);
      const now = clock.now();
      row.health &&= {
        ...row.health,
        openUntil: Math.min(row.health.openUntil, now),
        retryAfterUntil: Math.min(row.health.retryAfterUntil, now),
      };
      return true;
    },
    deleteEndpoint: async (accountId, endpointId) => {
      const row = find(accountId, endpointId);
      if (!row) return false;
      const { endpoints, shard } = accountOf(accountId);
      table.delete(endpointId);
      endpoints.delete(endpointId);
      history.end(endpointId);
      state.raise(shard.shard, -includes(row.endpoint) as -1 | 0);
      return true;
    },
  };
};
