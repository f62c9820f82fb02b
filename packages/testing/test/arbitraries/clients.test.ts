import { memoryStorage } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { malformedSecretArbitrary, wellFormedSecretArbitrary } from '../../src/arbitraries/client-secrets.ts';
import { clientArbitrary } from '../../src/arbitraries/clients.ts';
import { scriptedHost } from '../../src/scripted/host.ts';
import { many, runs } from './support.ts';

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

test('times are in order: a client was created with its first secret, a secret was used before it expired', () => {
  for (const { createdAt, secrets, tokensNotBefore } of many(clientArbitrary())) {
    expect(createdAt).toBe(Math.min(...secrets.map((secret) => secret.createdAt)));
    expect(tokensNotBefore === 0 || tokensNotBefore * 1_000 >= createdAt).toBe(true);
    for (const secret of secrets) {
      const { createdAt: made, lastUsedAt = made, expiresAt = lastUsedAt } = secret;
      expect(made <= lastUsedAt && lastUsedAt <= expiresAt).toBe(true);
    }
  }
});

test('a client has one to five secrets of different ids, with and without each optional field', () => {
  const clients = many(clientArbitrary());
  const counts = clients.map(({ secrets }) => new Set(secrets.map(({ id }) => id)).size);
  expect(new Set(counts)).toEqual(new Set([1, 2, 3, 4, 5]));
  const secrets = clients.flatMap((client) => client.secrets);
  for (const key of ['label', 'expiresAt', 'lastUsedAt'])
    for (const has of [true, false]) expect(secrets.some((secret) => key in secret === has)).toBe(true);
  expect(new Set(secrets.map(({ revoked }) => revoked))).toEqual(new Set([true, false]));
});

test('a well-formed unknown secret reads the store once; a malformed one is refused before', async () => {
  const storage = memoryStorage();
  let reads = 0;
  const clients = {
    ...storage.clients,
    findClient: (id: string) => {
      reads++;
      return storage.clients.findClient(id);
    },
  };
  const loginLimits = { perAddress: { points: 1e6, window: 1 }, perClientAndAddress: { points: 1e6, window: 1 } };
  const { request, client } = await scriptedHost({ storage: { ...storage, clients }, loginLimits });
  const refused = async (client_secret: string) => {
    const json = { ...credentials, client_id: client.id, client_secret };
    expect((await request('POST', loginPath, { json })).status).toBe(401);
  };
  await fc.assert(fc.asyncProperty(wellFormedSecretArbitrary(), refused), runs);
  expect(reads).toBe(runs.numRuns);
  await fc.assert(fc.asyncProperty(malformedSecretArbitrary(), refused), runs);
  expect(reads).toBe(runs.numRuns);
});

test('malformed secrets are never empty: shortened, lengthened and unrelated ones are among them', () => {
  const lengths = new Set(many(malformedSecretArbitrary()).map((text) => text.length));
  expect(lengths.has(0)).toBe(false);
  for (const length of [1, 64, 65, 66, 67]) expect(lengths).toContain(length);
});
