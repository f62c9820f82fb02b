import {
  type Endpoint,
  type EndpointStore,
  type Sealed,
  type StoredHealth,
  type StoredSealingKeyCount,
  type StoreState,
  sealingKeyId,
  shardOf,
} from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { endpointStoreContract } from '../../../src/contracts/endpoints/endpoint-store.ts';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { brokenPages, type List } from '../support/broken-pages.ts';
import { breakPort, type Double, findsEveryFault, meanwhile } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';

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

/** State of shards, changed when it is read. */
const stating = (
  how: string,
  breaks: Double<StorageFixture>['breaks'],
  change: (state: StoreState) => Partial<StoreState>,
): Double<StorageFixture> =>
  breakPort('deliveries')(how, breaks, ({ readEndpoints }) => ({
    readEndpoints: async (...args) => {
      const read = await readEndpoints(...args);
      return { ...read, ...change(read) };
    },
  }));

const countBy = (
  endpoints: readonly Endpoint[],
  valuesOf: (endpoint: Endpoint) => readonly (Sealed | undefined)[],
): readonly StoredSealingKeyCount[] => {
  const found = endpoints.flatMap((sample) =>
    valuesOf(sample).flatMap((sealed) => (sealed === undefined ? [] : [{ keyId: sealingKeyId(sealed), sample }])),
  );
  return [...Map.groupBy(found, ({ keyId }) => keyId).values()].flatMap((each) =>
    each.slice(0, 1).map((first) => ({ ...first, endpoints: each.length })),
  );
};

const doubles: readonly Double<StorageFixture>[] = [
  broken('events are kept in another order', ['an endpoint is read as it was stored'], ({ insertEndpoint }) => ({
    insertEndpoint: (endpoint, most) => insertEndpoint({ ...endpoint, events: endpoint.events.toSorted() }, most),
  })),
  broken('every event type is kept', ['an endpoint is read as it was stored'], ({ insertEndpoint }) => ({
    insertEndpoint: (endpoint, most) =>
      insertEndpoint({ ...endpoint, events: ['creation', 'payed', 'cancel', 'check_in', 'finish'] }, most),
  })),
  broken('whoever knows an id finds it', ['only its own account finds an endpoint'], (endpoints) => ({
    findEndpoint: async (_accountId, endpointId) =>
      endpoints.findEndpoint(await ownerOf(endpoints, endpointId), endpointId),
  })),
  broken(
    'an id that exists is passed over in silence',
    ['an existing id is not inserted again, by any account'],
    ({ insertEndpoint }) => ({ insertEndpoint: (endpoint, most) => insertEndpoint(endpoint, most).catch(() => true) }),
  ),
  broken(
    'endpoints are counted, and then inserted',
    ['simultaneous inserts succeed up to the limit'],
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
    ['an account has at most the given number of endpoints; those of others do not count'],
    ({ insertEndpoint, listEndpoints }) => ({
      insertEndpoint: async (endpoint, most) => {
        const pages = await Promise.all(accounts.map((accountId) => listEndpoints(accountId, {})));
        return pages.flatMap(({ items }) => items).length < most && insertEndpoint(endpoint, most);
      },
    }),
  ),
  broken(
    'a transaction is ignored',
    ['an endpoint that joins a transaction is stored by its commit alone'],
    ({ insertEndpoint }) => ({ insertEndpoint: (endpoint, most) => insertEndpoint(endpoint, most) }),
  ),
  broken(
    'in a transaction, endpoints are counted and then inserted',
    ['simultaneous transactions store endpoints up to the limit'],
    ({ listEndpoints, insertEndpoint }) => ({
      insertEndpoint: async (endpoint, most, tx) => {
        if (!tx) return insertEndpoint(endpoint, most);
        const { items } = await listEndpoints(endpoint.accountId, { limit: 100 });
        await meanwhile();
        return items.length < most && insertEndpoint(endpoint, Number.POSITIVE_INFINITY);
      },
    }),
  ),
  broken(
    'who was deleted still counts',
    ['a deleted endpoint does not count towards the limit'],
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
    ['a change of an older version, of another account, or of an unknown endpoint changes nothing'],
    (endpoints) => ({
      replaceEndpoint: async (endpoint) =>
        endpoints.replaceEndpoint({ ...endpoint, accountId: await ownerOf(endpoints, endpoint.id) }),
    }),
  ),
  broken(
    'versions are compared, and then swapped',
    ['exactly one of many simultaneous changes of a version succeeds'],
    ({ findEndpoint, replaceEndpoint }) => ({
      replaceEndpoint: async (endpoint) => {
        const find = () => findEndpoint(endpoint.accountId, endpoint.id);
        if ((await find())?.version !== endpoint.version) return false;
        await meanwhile();
        return replaceEndpoint({ ...endpoint, version: (await find())?.version ?? 0 });
      },
    }),
  ),
  broken('whoever knows an id deletes it', ['only its own account deletes an endpoint, once'], (endpoints) => ({
    deleteEndpoint: async (_accountId, endpointId) =>
      endpoints.deleteEndpoint(await ownerOf(endpoints, endpointId), endpointId),
  })),
  broken(
    'whoever deletes an endpoint at the same time deletes it too',
    ['only its own account deletes an endpoint, once'],
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
    ['an endpoint that is changed and deleted at once is deleted'],
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
    ['the pages of all endpoints contain each exactly once, also while they change'],
    ({ listEndpoints }) => ({ listAllEndpoints: (page) => listEndpoints('acc_ours', page) }),
  ),
  broken(
    'endpoints that change go to the end of all',
    ['the pages of all endpoints contain each exactly once, also while they change'],
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
    ['the pages of all endpoints contain each exactly once, also while they change'],
    ({ listAllEndpoints }) => ({ listAllEndpoints: () => listAllEndpoints({}) }),
  ),
  broken(
    'endpoints without a profile are counted, too',
    ['endpoints of all accounts are counted by their profile'],
    ({ listAllEndpoints }) => ({
      countByProfile: async () =>
        countBy((await listAllEndpoints({})).items, ({ profile = '' }) => [`v1.${profile}.` as Endpoint['secret']]).map(
          ({ keyId, endpoints }) => ({ profile: keyId, endpoints }),
        ),
    }),
  ),
  broken(
    'sealed values are counted, not endpoints',
    ['endpoints are counted by the sealing keys of their values'],
    ({ listAllEndpoints }) => ({
      countBySealingKey: async () =>
        countBy((await listAllEndpoints({})).items, ({ secret, nextSecret, deliveryHeader }) => [
          secret,
          nextSecret,
          deliveryHeader?.value,
        ]),
    }),
  ),
  broken(
    'only the secrets that sign are counted',
    ['endpoints are counted by the sealing keys of their values'],
    ({ listAllEndpoints }) => ({
      countBySealingKey: async () => countBy((await listAllEndpoints({})).items, ({ secret }) => [secret]),
    }),
  ),
  broken(
    'an endpoint is counted for a key, and another one is its sample',
    ['endpoints are counted by the sealing keys of their values'],
    ({ countBySealingKey, listAllEndpoints }) => ({
      countBySealingKey: async () => {
        const [sample] = (await listAllEndpoints({})).items.slice(-1);
        return (await countBySealingKey()).map((count) => (sample ? { ...count, sample } : count));
      },
    }),
  ),

  stating(
    'no version ever grows',
    [
      'each change of an endpoint is told once: the version grows, and its shard has changed',
      'a worker that reads beside simultaneous changes learns of each',
    ],
    () => ({ endpointVersion: 1, changedShards: [] }),
  ),
  stating(
    'every change is told again and again',
    ['each change of an endpoint is told once: the version grows, and its shard has changed'],
    ({ changedShards }) => ({ changedShards: [...changedShards, shardOf('acc_ours')] }),
  ),
  stating(
    'of several changes one is told',
    ['a worker that reads beside simultaneous changes learns of each'],
    ({ changedShards }) => ({ changedShards: changedShards.slice(-1) }),
  ),
  broken(
    'whoever wants a change raises the version',
    ['a refused change raises no version'],
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
    ['a worker reads whether any endpoint includes children, except those its partner disabled'],
    () => ({ hasIncludeChildren: true }),
  ),
  broken(
    'a change of state deletes what is pending',
    ['pending deliveries are held while their endpoint is disabled, expire with it, and do not change'],
    ({ replaceEndpoint }, { storage: { deliveries, shards } }) => ({
      replaceEndpoint: async (endpoint) => {
        const { accountId, id: endpointId } = endpoint;
        const queue = { shard: shardOf(accountId), accountId, endpointId, limit: 10, order: 'due' } as const;
        const { deliveries: finished } = await deliveries.readQueued([queue], [], 0);
        await shards.join(`deletes-${endpoint.version}`, 1_000);
        const settlement = {
          number: 1,
          after: 0,
          attempts: [],
          pending: [],
          queued: [],
          finished,
          health: [],
          transitions: [],
        };
        await deliveries.settle(`deletes-${endpoint.version}`, settlement, 0);
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
        readEndpoints: async (...args) => {
          const { endpoints, ...state } = await readEndpoints(...args);
          for (const { endpoint, health } of endpoints) if (health) known.set(endpoint.id, health);
          const changed = endpoints.map((each) => {
            const health = known.get(each.endpoint.id);
            return health ? { ...each, health } : each;
          });
          return { ...state, endpoints: changed };
        },
      };
    },
  ),
];

findsEveryFault(endpointStoreContract, memoryStorageFixture, doubles);
