import type { Client } from '../../access/clients/client.ts';
import type { ClientStore } from '../../access/clients/client-store.ts';
import type { AlertStore } from '../../base/alerts/alert-store.ts';
import type { PageRequest } from '../../base/pagination/page.ts';
import type { Endpoint } from '../../webhooks/endpoints/endpoint.ts';
import type { EndpointStore } from '../../webhooks/endpoints/endpoint-store.ts';

const limit = 100;

/** A store for a dry run: it finds what is stored and what the dry run inserted, and stores nothing. */
export const rehearseClients = (
  store: Pick<ClientStore, 'findClient'>,
): Pick<ClientStore, 'findClient' | 'insertClient'> => {
  const inserted = new Map<string, Client>();
  return {
    findClient: async (id) => inserted.get(id) ?? store.findClient(id),
    insertClient: async (client) => void inserted.set(client.id, client),
  };
};

/** {@link rehearseClients} for addresses. */
export const rehearseAddresses = (
  store: Pick<AlertStore, 'findAddress'>,
): Pick<AlertStore, 'findAddress' | 'insertAddress'> => {
  const inserted = new Map<string, string>();
  return {
    findAddress: async (accountId) => inserted.get(accountId) ?? store.findAddress(accountId),
    insertAddress: async (accountId, address) => {
      inserted.set(accountId, address);
      return true;
    },
  };
};

/** {@link rehearseClients} for endpoints. It counts those of an account once. */
export const rehearseEndpoints = (
  store: Pick<EndpointStore, 'findEndpoint' | 'listEndpoints'>,
): Pick<EndpointStore, 'findEndpoint' | 'insertEndpoint'> => {
  const inserted = new Map<string, Endpoint>();
  const counts = new Map<string, number>();
  const keyOf = (accountId: string, endpointId: string): string => JSON.stringify([accountId, endpointId]);
  const countStored = async (accountId: string): Promise<number> => {
    let count = 0;
    for (let page: PageRequest | undefined = { limit }; page; ) {
      const { items, next }: Awaited<ReturnType<EndpointStore['listEndpoints']>> = await store.listEndpoints(
        accountId,
        page,
      );
      count += items.length;
      page = next === undefined ? undefined : { limit, after: next };
    }
    return count;
  };
  return {
    findEndpoint: async (accountId, endpointId) =>
      inserted.get(keyOf(accountId, endpointId)) ?? store.findEndpoint(accountId, endpointId),
    insertEndpoint: async (endpoint, max) => {
      const { accountId, id } = endpoint;
      const count = counts.get(accountId) ?? (await countStored(accountId));
      const hasRoom = count < max;
      counts.set(accountId, hasRoom ? count + 1 : count);
      if (hasRoom) inserted.set(keyOf(accountId, id), endpoint);
      return hasRoom;
    },
  };
};
