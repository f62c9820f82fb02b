import {
  type Endpoint,
  type EndpointStore,
  eventTypes,
  type Sealed,
  type SealingKeyCount,
  type StoredHealth,
  type StoreState,
  sealingKeyId,
  shardOf,
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

/** What every read tells, told otherwise. */
const stating = (
  how: string,
  breaks: Double<StorageFixture>['breaks'],
  tell: (state: StoreState) => Partial<StoreState>,
): Double<StorageFixture> =>
  breakPort('deliveries')(how, breaks, ({ readEndpoints }) => ({
    readEndpoints: async (...asked) => {
      const read = await readEndpoints(...asked);
      return { ...read, ...tell(read) };
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

  stating(
    'no version ever grows',
    [
      'each change of an endpoint raises the version of its shard, and no other',
      'of many changes at once each raises the version',
    ],
    ({ endpointVersions }) => ({ endpointVersions: endpointVersions.replaceAll(/\d+/g, '1') }),
  ),
  broken(
    'whoever wants a change raises the version',
    ['a change that is refused raises no version'],
    ({ replaceEndpoint, findEndpoint }) => ({
      replaceEndpoint: async (endpoint) => {
        const stored = await findEndpoint(endpoint.accountId, endpoint.id);
        const isReplaced = await replaceEndpoint(endpoint);
        if (!isReplaced && stored) await replaceEndpoint({ ...stored, label: 'raised' });
        return isReplaced;
      },
    }),
  ),
  stating(
    'children are always included',
    ['it is told whether any endpoint that its partner did not disable includes children'],
    () => ({ hasIncludeChildren: true }),
  ),
  broken(
    'a change of state deletes what is pending',
    ['what an endpoint has pending is held while it is disabled, expires with it, and stays as it is'],
    ({ replaceEndpoint }, { storage: { deliveries, shards } }) => ({
      replaceEndpoint: async (endpoint) => {
        const { accountId, id: endpointId } = endpoint;
        const queue = { shard: shardOf(accountId), accountId, endpointId, limit: 10, order: 'due' } as const;
        const { deliveries: finished } = await deliveries.readQueued([queue], []);
        await shards.join(`deletes-${endpoint.version}`, 1_000);
        const settlement = { attempts: [], pending: [], queued: [], finished, health: [], transitions: [] };
        await deliveries.settle(`deletes-${endpoint.version}`, settlement);
        return replaceEndpoint(endpoint);
      },
    }),
  ),
  breakPort('deliveries')(
    'health is that of an endpoint, however it changed',
    ['health is deleted when its endpoint is disabled, and when it is enabled'],
    ({ readEndpoints }) => {
      const known = new Map<string, StoredHealth>();
      return {
        readEndpoints: async (...asked) => {
          const { endpoints, ...state } = await readEndpoints(...asked);
          for (const { endpoint, health } of endpoints) if (health) known.set(endpoint.id, health);
          const told = endpoints.map((each) => {
            const health = known.get(each.endpoint.id);
            return health ? { ...each, health } : each;
          });
          return { ...state, endpoints: told };
        },
      };
    },
  ),
];

findsEveryFault(endpointStoreContract, memoryStorageFixture, doubles);
