import type { Client, ClientStore } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { clientStoreContract } from '../../../src/contracts/clients/client-store.ts';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { brokenPages, type List } from '../support/broken-pages.ts';
import { breakPort, type Double, findsEveryFault, meanwhile } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';
import { brokenUsage } from './broken-usage.ts';

describe('memory', () => {
  clientStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  clientStoreContract({ test, create: slowStorageFixture });
});

const broken = breakPort('clients');

/** Clients whose logins are kept apart from them, and so may be kept wrong. */
const apart = (clients: ClientStore) => {
  const logins = new Map<string, number | undefined>();
  const shown = (client: Client): Client => ({
    ...client,
    secrets: client.secrets.map(({ lastUsedAt, ...secret }) => {
      const key = `${client.id} ${secret.id}`;
      const at = logins.has(key) ? logins.get(key) : lastUsedAt;
      return at === undefined ? secret : { ...secret, lastUsedAt: at };
    }),
  });
  return {
    logins,
    findClient: async (clientId: string) => {
      const client = await clients.findClient(clientId);
      return client && shown(client);
    },
    listClients: async (accountId: string, request: Parameters<ClientStore['listClients']>[1]) => {
      const page = await clients.listClients(accountId, request);
      return { ...page, items: page.items.map(shown) };
    },
  };
};

const doubles: readonly Double<StorageFixture>[] = [
  broken(
    'an id that exists is passed over in silence',
    [
      'an existing id is not inserted again, by any account',
      'exactly one of many simultaneous inserts of an id succeeds',
    ],
    ({ insertClient }) => ({ insertClient: (client) => insertClient(client).catch(() => undefined) }),
  ),
  broken('a label is not kept', ['a client is read as it was stored'], ({ insertClient }) => ({
    insertClient: (client) =>
      insertClient({ ...client, secrets: client.secrets.map(({ label: _label, ...secret }) => secret) }),
  })),
  broken('what is no UUID is an error', ['an unknown client is not found'], ({ findClient }) => ({
    findClient: async (clientId) => {
      if (!/^[0-9a-f-]{36}$/.test(clientId)) throw new Error('invalid input syntax for type uuid');
      return findClient(clientId);
    },
  })),
  broken(
    'versions are compared, and then swapped',
    [
      'exactly one of many simultaneous changes of a version succeeds',
      'simultaneous changes and logins are all stored',
    ],
    ({ findClient, replaceClient }) => ({
      replaceClient: async (client) => {
        if ((await findClient(client.id))?.version !== client.version) return false;
        await meanwhile();
        const { version = 0 } = (await findClient(client.id)) ?? {};
        return replaceClient({ ...client, version });
      },
    }),
  ),
  broken(
    'a version of the future is taken',
    ['a change of an older version, or of an unknown client, changes nothing'],
    ({ findClient, replaceClient }) => ({
      replaceClient: async (client) => {
        const { version = 0 } = (await findClient(client.id)) ?? {};
        return replaceClient({ ...client, version: Math.min(client.version, version) });
      },
    }),
  ),
  broken(
    'all clients are those of one account',
    ['the pages of all clients contain each exactly once, also while they change'],
    ({ listClients }) => ({ listAllClients: (page) => listClients('acc_ours', page) }),
  ),
  broken(
    'the next page of all clients begins with the last client',
    ['the pages of all clients contain each exactly once, also while they change'],
    ({ listAllClients }) => {
      const before = new Map<string | undefined, string | undefined>();
      return {
        listAllClients: async (page) => {
          const read = await listAllClients(page);
          before.set(read.next, page.after);
          const again = page.after === undefined ? undefined : before.get(page.after);
          const [first] = again === undefined ? [] : (await listAllClients({ ...page, after: again })).items.slice(-1);
          return first ? { ...read, items: [first, ...read.items].slice(0, 2) } : read;
        },
      };
    },
  ),
  broken('a change keeps the version', ['a change is stored with the next version'], (clients) => ({
    findClient: async (clientId) => {
      const client = await clients.findClient(clientId);
      return client?.version === 2 ? { ...client, version: 1 } : client;
    },
  })),
  broken('a deleted client stays', ['a deleted client is gone with its secrets'], () => ({
    deleteClient: async () => true,
  })),
  broken(
    'any version is deleted',
    ['an older version, or an unknown client, is not deleted'],
    ({ findClient, deleteClient }) => ({
      deleteClient: async (client) => deleteClient((await findClient(client.id)) ?? client),
    }),
  ),
  broken(
    'a version is compared, and then deleted',
    ['of many simultaneous changes and deletions of a version exactly one succeeds'],
    ({ findClient, deleteClient }) => ({
      deleteClient: async (client) => {
        if ((await findClient(client.id))?.version !== client.version) return false;
        await meanwhile();
        await deleteClient((await findClient(client.id)) ?? client);
        return true;
      },
    }),
  ),
  broken('a login is a change', ['a login does not change the version'], ({ findClient, replaceClient }) => ({
    touchSecret: async (clientId, secretId, at) => {
      const client = await findClient(clientId);
      if (!client) return;
      const secrets = client.secrets.map((secret) => (secret.id === secretId ? { ...secret, lastUsedAt: at } : secret));
      await replaceClient({ ...client, secrets });
    },
  })),
  broken(
    'the last login that is written stands',
    ['a late record of a login does not move its time back'],
    (clients) => {
      const { logins, ...shown } = apart(clients);
      return {
        ...shown,
        touchSecret: async (clientId, secretId, at) => {
          logins.set(`${clientId} ${secretId}`, at);
        },
      };
    },
  ),
  broken(
    'a change writes the logins that it read',
    ['a change does not undo a login that was recorded meanwhile'],
    (clients) => {
      const { logins, ...shown } = apart(clients);
      return {
        ...shown,
        touchSecret: async (clientId, secretId, at) => {
          logins.set(`${clientId} ${secretId}`, at);
        },
        replaceClient: async (client) => {
          for (const { id, lastUsedAt } of client.secrets) logins.set(`${client.id} ${id}`, lastUsedAt);
          return clients.replaceClient(client);
        },
      };
    },
  ),
  broken('a login is noted on every secret', ['a login is recorded on its secret, and on no other'], (clients) => ({
    touchSecret: async (clientId, _secretId, at) => {
      for (const { id } of (await clients.findClient(clientId))?.secrets ?? [])
        await clients.touchSecret(clientId, id, at);
    },
  })),
  broken(
    'a login of nobody is an error',
    ['a login of an unknown client or secret is no error'],
    ({ findClient, touchSecret }) => ({
      touchSecret: async (clientId, secretId, at) => {
        const { secrets = [] } = (await findClient(clientId)) ?? {};
        if (!secrets.some(({ id }) => id === secretId)) throw new Error('no row was updated');
        await touchSecret(clientId, secretId, at);
      },
    }),
  ),
  broken(
    'each refused login is written',
    [
      'a refused login is recorded at most once in a while, and changes no version',
      'of simultaneous refused logins one is recorded',
    ],
    ({ noteRefusal }) => ({ noteRefusal: (clientId, refusal) => noteRefusal(clientId, refusal, -1_000_000) }),
  ),
  broken(
    'a change deletes the last refusal',
    ['a change does not undo a refusal that was recorded meanwhile'],
    (clients) => {
      const gone = new Set<string>();
      return {
        replaceClient: async (client) => {
          gone.add(client.id);
          return clients.replaceClient(client);
        },
        findClient: async (id) => {
          const found = await clients.findClient(id);
          if (!found || !gone.has(id)) return found;
          const { lastRefusal: _gone, ...client } = found;
          return client;
        },
      };
    },
  ),
  broken('whoever revokes a token again is refused', ['a token is revoked by its own jti'], (clients) => ({
    revokeToken: async (jti, until) => {
      if (await clients.isTokenRevoked(jti)) throw new Error('duplicate key value violates unique constraint');
      await clients.revokeToken(jti, until);
    },
  })),
  broken(
    'a revoked token is forgotten after a minute',
    ['a revoked token stays revoked until it has expired'],
    ({ revokeToken, isTokenRevoked }, { storeNow }) => {
      const revoked = new Map<string, number>();
      return {
        revokeToken: async (jti, until) => {
          revoked.set(jti, await storeNow());
          await revokeToken(jti, until);
        },
        isTokenRevoked: async (jti) =>
          (await isTokenRevoked(jti)) && (await storeNow()) - (revoked.get(jti) ?? 0) < 60_000,
      };
    },
  ),
  broken(
    'a revocation ends by the clock of the store',
    ["a revoked token stays revoked until its second: a store's clock 3 hours ahead"],
    ({ revokeToken, isTokenRevoked }, { storeNow }) => {
      const ends = new Map<string, number>();
      return {
        revokeToken: async (jti, until) => {
          ends.set(jti, until);
          await revokeToken(jti, until);
        },
        isTokenRevoked: async (jti) => (ends.get(jti) ?? 0) > (await storeNow()) / 1_000 && (await isTokenRevoked(jti)),
      };
    },
  ),
  broken(
    'a revocation lasts until a second of the store',
    ["a revoked token stays revoked until its second: a store's clock 3 hours behind"],
    ({ revokeToken, isTokenRevoked }, { storeNow }) => {
      const ends = new Map<string, number>();
      return {
        revokeToken: async (jti, until) => {
          ends.set(jti, until);
          await revokeToken(jti, until);
        },
        // As if what lies more than an hour ahead were a mistake.
        isTokenRevoked: async (jti) =>
          (ends.get(jti) ?? 0) < (await storeNow()) / 1_000 + 3_600 && (await isTokenRevoked(jti)),
      };
    },
  ),
  ...brokenUsage,
  ...brokenPages('clients').map(({ how, breaks, of }) =>
    broken(how, breaks, ({ listClients }) => ({ listClients: of(listClients as List) as ClientStore['listClients'] })),
  ),
];

findsEveryFault(clientStoreContract, memoryStorageFixture, doubles);
