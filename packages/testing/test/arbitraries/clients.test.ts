import { memoryStorage } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { malformedSecretArbitrary, wellFormedSecretArbitrary } from '../../src/arbitraries/client-secrets.ts';
import {
  clientArbitrary,
  clientSecretArbitrary,
  clientViewArbitrary,
  credentialsArbitrary,
} from '../../src/arbitraries/clients.ts';
import { scriptedHost } from '../../src/scripted/host.ts';
import { many, runs, smallest } from './support.ts';

const loginPath = '/api/v1/partner/login';
const credentials = { grant_type: 'client_credentials', scope: 'USER' };

test('a client survives storage', async () => {
  const property = fc.asyncProperty(clientArbitrary(), async (client) => {
    const { clients } = memoryStorage();
    await clients.insertClient(client);
    expect(await clients.findClient(client.id)).toStrictEqual(client);
  });
  await fc.assert(property, runs);
});

test('times are in order: a client was made with its first secret, a secret was used before it expired', () => {
  const property = fc.property(clientArbitrary(), ({ createdAt, secrets, tokensNotBefore }) => {
    expect(createdAt).toBe(Math.min(...secrets.map((secret) => secret.createdAt)));
    expect(tokensNotBefore === 0 || tokensNotBefore * 1_000 >= createdAt).toBe(true);
    for (const secret of secrets) {
      const { createdAt: made, lastUsedAt = made, expiresAt = lastUsedAt } = secret;
      expect(made <= lastUsedAt && lastUsedAt <= expiresAt).toBe(true);
    }
  });
  fc.assert(property, runs);
});

test('clients have one to five secrets of different ids', () => {
  const counts = many(clientArbitrary()).map(({ secrets }) => new Set(secrets.map(({ id }) => id)).size);
  expect(new Set(counts)).toEqual(new Set([1, 2, 3, 4, 5]));
});

test('secrets come with and without each thing that they may have', () => {
  const secrets = many(clientSecretArbitrary());
  for (const key of ['label', 'expiresAt', 'lastUsedAt']) {
    for (const has of [true, false]) expect(secrets.some((secret) => key in secret === has)).toBe(true);
  }
  expect(new Set(secrets.map(({ revoked }) => revoked))).toEqual(new Set([true, false]));
});

test('what the test fixes stays fixed', () => {
  for (const made of many(clientArbitrary({ accountId: 'acc_a', disabled: true })))
    expect(made).toMatchObject({ accountId: 'acc_a', disabled: true });
  for (const made of many(clientSecretArbitrary({ createdAt: 7 }))) expect(made.createdAt).toBe(7);
  for (const made of many(clientViewArbitrary({ name: 'Key' }))) expect(made.name).toBe('Key');
});

test('a view has what the kit shows of a client, and nothing more', async () => {
  const fieldsOf = (view: { readonly secrets: readonly object[] }) =>
    [Object.keys(view), ...view.secrets.map((secret) => Object.keys(secret))].flat();
  const shown = new Set<string>();
  const { kit, storage } = await scriptedHost();
  for (const client of many(clientArbitrary({ accountId: 'acc_own' })).slice(0, 100)) {
    await storage.clients.insertClient(client);
    for (const field of fieldsOf((await kit.clients.find('acc_own', client.id))._unsafeUnwrap())) shown.add(field);
  }
  expect(new Set(many(clientViewArbitrary()).flatMap(fieldsOf))).toEqual(shown);
});

test('credentials log in, whatever else the client has', async () => {
  const property = fc.asyncProperty(credentialsArbitrary({ accountId: 'acc_own' }), async ({ client, secret }) => {
    const { storage, login } = await scriptedHost();
    await storage.clients.insertClient(client);
    await login({ id: client.id, secret });
  });
  await fc.assert(property, runs);
});

test('a well-formed secret that is nobody’s reaches the store, and no further', async () => {
  const storage = memoryStorage();
  let asked = 0;
  const clients = {
    ...storage.clients,
    findClient: (id: string) => {
      asked++;
      return storage.clients.findClient(id);
    },
  };
  const loginLimits = { perAddress: { points: 1e6, window: 1 }, perClientAndAddress: { points: 1e6, window: 1 } };
  const { request, client } = await scriptedHost({ storage: { ...storage, clients }, loginLimits });
  const refused = async (client_secret: string) => {
    const response = await request('POST', loginPath, {
      json: { ...credentials, client_id: client.id, client_secret },
    });
    expect(response.status).toBe(401);
  };
  await fc.assert(fc.asyncProperty(wellFormedSecretArbitrary(), refused), runs);
  expect(asked).toBe(runs.numRuns);
  await fc.assert(fc.asyncProperty(malformedSecretArbitrary(), refused), runs);
  expect(asked, 'malformed secrets are refused before the store is asked').toBe(runs.numRuns);
});

test('secrets have the form of core’s own, with any prefix', async () => {
  const { client } = await scriptedHost();
  const form = /^[A-Za-z0-9]+_[A-Za-z0-9]{12}_[A-Za-z0-9]{49}$/;
  expect(client.secret).toMatch(form);
  for (const secret of [...many(wellFormedSecretArbitrary()), ...many(wellFormedSecretArbitrary('acme'))])
    expect(secret).toMatch(form);
  expect(smallest(wellFormedSecretArbitrary('acme'))).toMatch(/^acme_0{12}_0{43}/);
});

test('malformed secrets are never empty: cut, doubled, foreign and wholly other ones are among them', () => {
  const lengths = new Set(many(malformedSecretArbitrary()).map((text) => text.length));
  expect(lengths.has(0)).toBe(false);
  for (const length of [1, 64, 65, 66, 67]) expect(lengths).toContain(length);
});
