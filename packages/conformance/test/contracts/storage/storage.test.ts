import type { AppendOutcome, Storage } from '@partnerkit/core/adapter';
import { describe, expect, test } from 'vitest';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { assertNoSecret } from '../../../src/contracts/storage/secrets-at-rest.ts';
import { storageContract } from '../../../src/contracts/storage/storage.ts';
import { breakPort, type Double, findsEveryFault, meanwhile } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';

describe('memory', () => {
  storageContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  storageContract({ test, create: slowStorageFixture });
});

const secret = 'whsec_C2FVsBQIhrscChlQIMVb5sSYspob7oD';

const broken = (
  how: string,
  breaks: Double<StorageFixture>['breaks'],
  change: (storage: Storage<object>) => Storage<object>['transaction'],
): Double<StorageFixture> => ({
  how,
  breaks,
  make: (fixture) => ({ ...fixture, storage: { ...fixture.storage, transaction: change(fixture.storage) } }),
});

const doubles: readonly Double<StorageFixture>[] = [
  breakPort('clients')(
    'a new client loses the expiry of its secrets',
    ['what is exported is imported as it is, in clear or sealed, into this storage and out of it'],
    ({ insertClient }) => ({
      insertClient: (client) =>
        insertClient({ ...client, secrets: client.secrets.map(({ expiresAt: _at, ...secret }) => secret) }),
    }),
  ),
  breakPort('secretIds')(
    'ids of secrets lose their order',
    ['the ids of secrets are none at first, and are read as they were stored'],
    ({ readSecretIds }) => ({ readSecretIds: async () => (await readSecretIds()).toSorted() }),
  ),
  breakPort('secretIds')(
    'ids of secrets replace whatever is stored',
    ['ids of secrets replace the ids that their caller read, and no others'],
    ({ readSecretIds, replaceSecretIds }) => ({
      replaceSecretIds: async (_, next) => replaceSecretIds(await readSecretIds(), next),
    }),
  ),
  breakPort('secretIds')(
    'ids of secrets are compared before they are replaced',
    ['of simultaneous replacements of the same ids of secrets one wins'],
    ({ readSecretIds, replaceSecretIds }) => ({
      replaceSecretIds: async (previous, next) => {
        if (JSON.stringify(await readSecretIds()) !== JSON.stringify(previous)) return false;
        await meanwhile();
        while (!(await replaceSecretIds(await readSecretIds(), next)));
        return true;
      },
    }),
  ),
  broken(
    'a transaction resolves to a copy',
    ['a transaction commits when its work resolves, and resolves to the same'],
    ({ transaction }) =>
      (work) =>
        transaction(async (tx) => structuredClone(await work(tx))),
  ),
  broken(
    'a rollback is no error',
    ['a transaction rolls back when its work rejects, and rejects with the same'],
    ({ transaction }) =>
      (work) =>
        transaction(work).catch(() => undefined as never),
  ),
  broken(
    'a rollback rejects with an error of its own',
    ['a transaction rolls back when its work rejects, and rejects with the same'],
    ({ transaction }) =>
      (work) =>
        transaction(work).catch((cause: unknown) => {
          throw new Error('rolled back', { cause });
        }),
  ),
  broken(
    'work that throws at once leaves its connection behind',
    ['a transaction that throws synchronously rejects, and the next one works'],
    ({ transaction }) => {
      let lost = false;
      return async (work) => {
        if (lost) throw new Error('sorry, too many clients already');
        return transaction((tx) => {
          lost = true;
          const working = work(tx);
          lost = false;
          return working;
        });
      };
    },
  ),
  broken('transactions share one connection', ['simultaneous transactions are independent'], ({ transaction }) => {
    let shared: Promise<object> | undefined;
    return async (work) => {
      let end: () => void = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      shared ??= new Promise((resolve, reject) => {
        transaction(async (tx) => {
          resolve(tx);
          await ended;
        }).catch(reject);
      });
      const tx = await shared;
      try {
        return await work(tx);
      } finally {
        shared = undefined;
        end();
      }
    };
  }),
  broken(
    'an abort is ignored',
    [
      'an aborted transaction rejects with the reason at once, and nothing of it is stored, however long its work goes on',
    ],
    ({ transaction }) =>
      (work) =>
        transaction(work),
  ),
  broken(
    'an aborted transaction commits in the end',
    [
      'an aborted transaction rejects with the reason at once, and nothing of it is stored, however long its work goes on',
    ],
    ({ transaction }) =>
      (work, { signal } = {}) =>
        Promise.race([
          transaction(work),
          new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
        ]),
  ),
  {
    how: 'what the store rolled back counts as committed',
    breaks: ['a transaction that resolves although its work swallowed an error has stored the rest, or it rejects'],
    make: (fixture) => {
      const { events, transaction } = fixture.storage;
      let hasFailed = false;
      const append: typeof events.append = (tx, appended) =>
        events.append(tx, appended).catch((cause: unknown) => {
          hasFailed = true;
          throw cause;
        });
      const commit: typeof transaction = async (work, options) => {
        hasFailed = false;
        let worked: { readonly value: Awaited<ReturnType<typeof work>> } | undefined;
        const perform: typeof work = async (tx) => {
          const value = await work(tx);
          worked = { value };
          if (hasFailed) throw new Error('The transaction is over.');
          return value;
        };
        return transaction(perform, options).catch((cause: unknown) => {
          if (worked) return worked.value;
          throw cause;
        });
      };
      return { ...fixture, storage: { ...fixture.storage, events: { ...events, append }, transaction: commit } };
    },
  },
  {
    how: 'what an ended transaction gets is stored by itself',
    breaks: ['work that goes on after an abort writes into no other transaction'],
    make: (fixture) => {
      const { events, transaction } = fixture.storage;
      const append: typeof events.append = (tx, appended) =>
        events.append(tx, appended).catch(() => transaction((own) => events.append(own, appended)));
      return { ...fixture, storage: { ...fixture.storage, events: { ...events, append } } };
    },
  },
  {
    how: 'each event is committed by itself',
    breaks: ['a transaction rolls back when its work rejects, and rejects with the same'],
    make: (fixture) => {
      const { events, transaction } = fixture.storage;
      const append: typeof events.append = async (_tx, appended) => {
        const outcomes: AppendOutcome[] = [];
        for (const event of appended) outcomes.push(...(await transaction((own) => events.append(own, [event]))));
        return outcomes;
      };
      return { ...fixture, storage: { ...fixture.storage, events: { ...events, append } } };
    },
  },
  breakPort('clients')(
    'accounts are compared without regard to case',
    ['accounts with similar ids are different accounts'],
    ({ insertClient, listClients }) => ({
      insertClient: (client) => insertClient({ ...client, accountId: client.accountId.toLowerCase() }),
      listClients: (accountId, request) => listClients(accountId.toLowerCase(), request),
    }),
  ),
  breakPort('endpoints')(
    'accounts are compared in one normal form',
    ['accounts with similar ids are different accounts'],
    ({ insertEndpoint, listEndpoints }) => ({
      insertEndpoint: (endpoint, most) =>
        insertEndpoint({ ...endpoint, accountId: endpoint.accountId.normalize('NFC') }, most),
      listEndpoints: (accountId, request) => listEndpoints(accountId.normalize('NFC'), request),
    }),
  ),
  {
    how: 'the probe looks at another database',
    breaks: ['no secret is stored in clear text'],
    make: (fixture) => ({ ...fixture, probe: async () => 'acc_ours acc_theirs' }),
  },
];

findsEveryFault(storageContract, memoryStorageFixture, doubles);

test.each([
  ['in clear', secret],
  ['without its prefix', secret.slice(6)],
  ['in Base64', Buffer.from(secret).toString('base64')],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
])('a secret is found %s', (_, stored) => {
  expect(() => assertNoSecret(`{"column":"${stored}"}`, [secret])).toThrow('stored in clear');
  expect(() => assertNoSecret(`{"column":"${stored}"}`, ['whsec_another'])).not.toThrow();
});
