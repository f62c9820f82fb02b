import {
  type Endpoint,
  type EndpointState,
  type EndpointStore,
  eventTypes,
  type Sealed,
  type SealingKeyCount,
  sealingKeyId,
} from '@partnerkit/core';
import { describe, test } from 'vitest';
import { endpointStoreContract, type StorageFixture } from '../../src/index.ts';
import { brokenPages, type List } from './broken-pages.ts';
import { breakPort, type Double, findsEveryFault, meanwhile } from './doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from './memory.ts';

describe('memory', () => {
  endpointStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  endpointStoreContract({ test, create: slowStorageFixture });
});

const broken = breakPort('endpoints');
const accounts = ['acc_ours', 'acc_theirs', 'acc_third'];

/** The account that has it, whoever asks. */
const ownerOf = async ({ findEndpoint }: EndpointStore, endpointId: string): Promise<string> => {
  for (const accountId of accounts) if (await findEndpoint(accountId, endpointId)) return accountId;
  return 'nobody';
};

/** States that the rest of the storage does not learn of. */
const aside = ({ replaceEndpoint, findEndpoint }: EndpointStore) => {
  const states = new Map<string, EndpointState>();
  return {
    findEndpoint: async (accountId, endpointId) => {
      const found = await findEndpoint(accountId, endpointId);
      return found && { ...found, state: states.get(endpointId) ?? found.state };
    },
    replaceEndpoint: async (endpoint) => {
      states.set(endpoint.id, endpoint.state);
      return replaceEndpoint({ ...endpoint, state: 'enabled' });
    },
  } satisfies Partial<EndpointStore>;
};

/** Storage whose log tells another state than the true one. */
const retold = (
  how: string,
  breaks: Double<StorageFixture>['breaks'],
  from: 'held' | 'expired',
): Double<StorageFixture> =>
  breakPort('log')(how, breaks, ({ listDeliveries }) => ({
    listDeliveries: async (accountId, filter, request) => {
      const { items, ...rest } = await listDeliveries(accountId, filter, request);
      return { ...rest, items: items.map((each) => (each.state === from ? { ...each, state: 'waiting' } : each)) };
    },
  }));

const countBy = (
  endpoints: readonly Endpoint[],
  valuesOf: (endpoint: Endpoint) => readonly (Sealed | undefined)[],
): readonly SealingKeyCount[] => {
  const keyIds = endpoints.flatMap(valuesOf).flatMap((sealed) => (sealed === undefined ? [] : [sealingKeyId(sealed)]));
  return [...new Set(keyIds)].map((keyId) => ({ keyId, endpoints: keyIds.filter((each) => each === keyId).length }));
};

const doubles: readonly Double<StorageFixture>[] = [
  broken('events are kept in another order', ['an endpoint comes back as it was stored'], ({ insertEndpoint }) => ({
    insertEndpoint: (endpoint, most) => insertEndpoint({ ...endpoint, events: endpoint.events.toSorted() }, most),
  })),
  broken('every event type is kept', ['an endpoint comes back as it was stored'], ({ insertEndpoint }) => ({
    insertEndpoint: (endpoint, most) => insertEndpoint({ ...endpoint, events: eventTypes }, most),
  })),
  broken('whoever knows an id finds it', ['an endpoint is found by its own account alone'], (endpoints) => ({
    findEndpoint: async (_accountId, endpointId) =>
      endpoints.findEndpoint(await ownerOf(endpoints, endpointId), endpointId),
  })),
  broken(
    'an id that exists is passed over in silence',
    ['an id that exists is not inserted again, by any account'],
    ({ insertEndpoint }) => ({ insertEndpoint: (endpoint, most) => insertEndpoint(endpoint, most).catch(() => true) }),
  ),
  broken(
    'endpoints are counted, and then inserted',
    ['of many that insert at once exactly as many do as there is room for'],
    ({ listEndpoints, insertEndpoint }) => ({
      insertEndpoint: async (endpoint, most) => {
        const { items } = await listEndpoints(endpoint.accountId, { limit: 100 });
        await meanwhile();
        return items.length < most && insertEndpoint(endpoint, Number.POSITIVE_INFINITY);
      },
    }),
  ),
  broken(
    'endpoints of all accounts are counted',
    ['an account has at most so many endpoints, and its own alone count'],
    ({ insertEndpoint, listEndpoints }) => ({
      insertEndpoint: async (endpoint, most) => {
        const pages = await Promise.all(accounts.map((accountId) => listEndpoints(accountId, {})));
        return pages.flatMap(({ items }) => items).length < most && insertEndpoint(endpoint, most);
      },
    }),
  ),
  broken(
    'who was deleted still counts',
    ['an endpoint that was deleted makes room'],
    ({ insertEndpoint, deleteEndpoint }) => {
      let deleted = 0;
      return {
        insertEndpoint: (endpoint, most) => insertEndpoint(endpoint, most - deleted),
        deleteEndpoint: async (accountId, endpointId) => {
          deleted++;
          return deleteEndpoint(accountId, endpointId);
        },
      };
    },
  ),
  broken('a change leaves what it does not name', ['a change is stored with the next version'], (endpoints) => ({
    replaceEndpoint: async (endpoint) =>
      endpoints.replaceEndpoint({ ...(await endpoints.findEndpoint(endpoint.accountId, endpoint.id)), ...endpoint }),
  })),
  broken(
    'whoever knows an id changes it',
    ['a change of an older version, of another account, or of no endpoint changes nothing'],
    (endpoints) => ({
      replaceEndpoint: async (endpoint) =>
        endpoints.replaceEndpoint({ ...endpoint, accountId: await ownerOf(endpoints, endpoint.id) }),
    }),
  ),
  broken(
    'versions are compared, and then swapped',
    ['of many that change one version at once exactly one wins'],
    ({ findEndpoint, replaceEndpoint }) => ({
      replaceEndpoint: async (endpoint) => {
        const find = () => findEndpoint(endpoint.accountId, endpoint.id);
        if ((await find())?.version !== endpoint.version) return false;
        await meanwhile();
        return replaceEndpoint({ ...endpoint, version: (await find())?.version ?? 0 });
      },
    }),
  ),
  broken('whoever knows an id deletes it', ['an endpoint is deleted by its own account, once'], (endpoints) => ({
    deleteEndpoint: async (_accountId, endpointId) =>
      endpoints.deleteEndpoint(await ownerOf(endpoints, endpointId), endpointId),
  })),
  broken(
    'whoever deletes an endpoint at the same time deletes it too',
    ['an endpoint is deleted by its own account, once'],
    ({ findEndpoint, deleteEndpoint }) => ({
      deleteEndpoint: async (accountId, endpointId) => {
        const found = await findEndpoint(accountId, endpointId);
        await meanwhile();
        await deleteEndpoint(accountId, endpointId);
        return found !== undefined;
      },
    }),
  ),
  broken(
    'a change brings back what is deleted meanwhile',
    ['an endpoint that is changed and deleted at once is gone'],
    ({ findEndpoint, replaceEndpoint, insertEndpoint }) => ({
      replaceEndpoint: async (endpoint) => {
        const found = await findEndpoint(endpoint.accountId, endpoint.id);
        await meanwhile();
        if (await replaceEndpoint(endpoint)) return true;
        return found !== undefined && insertEndpoint(endpoint, 20).catch(() => false);
      },
    }),
  ),
  ...brokenPages('endpoints').map(({ how, breaks, of }) =>
    broken(how, breaks, ({ listEndpoints }) => ({
      listEndpoints: of(listEndpoints as List) as EndpointStore['listEndpoints'],
    })),
  ),

  broken(
    'a page of all is one of each account',
    ['every endpoint of every account is on exactly one page of all, though they change meanwhile'],
    ({ listEndpoints }) => ({ listAllEndpoints: (page) => listEndpoints('acc_ours', page) }),
  ),
  broken(
    'endpoints that change go to the end of all',
    ['every endpoint of every account is on exactly one page of all, though they change meanwhile'],
    ({ listAllEndpoints }) => ({
      listAllEndpoints: async ({ after = '0', limit = 50 }) => {
        const { items } = await listAllEndpoints({ limit: 100 });
        const sorted = items.toSorted((a, b) => a.version - b.version);
        const end = Number(after) + limit;
        return { items: sorted.slice(Number(after), end), ...(end < sorted.length ? { next: `${end}` } : {}) };
      },
    }),
  ),
  broken(
    'the bound of a page of all is ignored',
    ['every endpoint of every account is on exactly one page of all, though they change meanwhile'],
    ({ listAllEndpoints }) => ({ listAllEndpoints: () => listAllEndpoints({}) }),
  ),
  broken(
    'sealed values are counted, not endpoints',
    ['endpoints are counted by the keys that sealed what they hold'],
    ({ listAllEndpoints }) => ({
      countBySealingKey: async () =>
        countBy((await listAllEndpoints({})).items, ({ secret, nextSecret, apiKey }) => [
          secret,
          nextSecret,
          apiKey?.value,
        ]),
    }),
  ),
  broken(
    'only the secrets that sign are counted',
    ['endpoints are counted by the keys that sealed what they hold'],
    ({ listAllEndpoints }) => ({
      countBySealingKey: async () => countBy((await listAllEndpoints({})).items, ({ secret }) => [secret]),
    }),
  ),

  broken(
    'the queue learns of no state',
    [
      'an endpoint that is disabled holds what waits, one that is enabled releases it',
      'what the breaker holds stays held when its partner disables the endpoint',
      'of disabling and claiming at once, what was not claimed is held',
    ],
    aside,
  ),
  broken(
    'any change holds what waits',
    ['a change that leaves an endpoint enabled holds nothing'],
    ({ replaceEndpoint }) => ({
      replaceEndpoint: (endpoint) =>
        replaceEndpoint({ ...endpoint, state: endpoint.url.includes('moved') ? 'disabled' : endpoint.state }),
    }),
  ),
  broken(
    'who comes too late changes the state all the same',
    ['a change that comes too late holds nothing, and releases nothing'],
    ({ findEndpoint, replaceEndpoint }) => ({
      replaceEndpoint: async (endpoint) => {
        if (await replaceEndpoint(endpoint)) return true;
        const stored = await findEndpoint(endpoint.accountId, endpoint.id);
        if (stored) await replaceEndpoint({ ...stored, state: endpoint.state });
        return false;
      },
    }),
  ),
  broken(
    'a retry that was held is due when it is released',
    ['a delivery that was held is attempted when it was due anyway'],
    ({ replaceEndpoint }, { elapse }) => ({
      replaceEndpoint: async (endpoint) => {
        if (endpoint.state === 'enabled') await elapse(3_600_000);
        return replaceEndpoint(endpoint);
      },
    }),
  ),
  broken(
    'who deletes an endpoint forgets its deliveries',
    [
      'an endpoint that is deleted lets all that is unfinished expire',
      'an endpoint that is deleted lets what is held expire',
      'what was out when its endpoint was deleted is never claimed again',
    ],
    ({ findEndpoint }) => ({
      deleteEndpoint: async (accountId, endpointId) => (await findEndpoint(accountId, endpointId)) !== undefined,
    }),
  ),
  broken(
    'who may not delete an endpoint lets its deliveries expire',
    ['an account that may not delete an endpoint lets nothing expire'],
    (endpoints) => ({
      deleteEndpoint: async (accountId, endpointId) => {
        const owner = await ownerOf(endpoints, endpointId);
        await endpoints.deleteEndpoint(owner, endpointId);
        return owner === accountId;
      },
    }),
  ),
  retold(
    'the log knows no held deliveries',
    ['an endpoint that is disabled holds what waits, one that is enabled releases it'],
    'held',
  ),
  retold(
    'the log knows no expired deliveries',
    ['what was out when its endpoint was deleted is never claimed again'],
    'expired',
  ),
];

findsEveryFault(endpointStoreContract, memoryStorageFixture, doubles);
