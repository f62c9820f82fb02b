import type { Client, ClientSecret, ClientView } from '@partnerkit/core';
import fc from 'fast-check';
import { digestOf, secretId, wellFormedSecretArbitrary } from './client-secrets.ts';
import { idArbitrary, identifierArbitrary, moment } from './identifiers.ts';
import { recordOf } from './record-of.ts';

const twoYears = 2 * 365 * 24 * 3_600_000;
const hex = fc.constantFrom(...'0123456789abcdef');

/**
 * Secrets of a client as they are stored: labelled or not, expiring, revoked, used.
 * @example
 * fc.assert(fc.property(clientSecretArbitrary(), ({ digest }) => /^[0-9a-f]{64}$/.test(digest)));
 * @public
 */
export const clientSecretArbitrary = (change: Partial<ClientSecret> = {}): fc.Arbitrary<ClientSecret> => {
  const age = fc.nat(twoYears);
  return recordOf<ClientSecret>(
    {
      id: secretId(),
      label: identifierArbitrary(),
      digest: fc.string({ unit: hex, minLength: 64, maxLength: 64 }),
      createdAt: moment(),
      // Counted from `createdAt`, for now.
      expiresAt: age,
      revoked: fc.boolean(),
      lastUsedAt: age,
    },
    {},
    ['label', 'expiresAt', 'lastUsedAt'],
  ).map(({ expiresAt, lastUsedAt, ...secret }) => ({
    ...secret,
    ...(expiresAt === undefined ? {} : { expiresAt: secret.createdAt + expiresAt }),
    ...(lastUsedAt === undefined ? {} : { lastUsedAt: secret.createdAt + Math.min(lastUsedAt, expiresAt ?? twoYears) }),
    ...change,
  }));
};

/**
 * Clients with one to five secrets; the first was made with the client.
 * @example
 * const property = fc.asyncProperty(clientArbitrary({ accountId: 'acc_a' }), async (client) => {
 *   const { clients } = memoryStorage();
 *   await clients.insertClient(client);
 *   deepStrictEqual(await clients.findClient(client.id), client);
 * });
 * await fc.assert(property);
 * @public
 */
export const clientArbitrary = (change: Partial<Client> = {}): fc.Arbitrary<Client> =>
  recordOf<Omit<Client, 'createdAt'>>(
    {
      id: idArbitrary(),
      accountId: identifierArbitrary(),
      name: identifierArbitrary(),
      disabled: fc.boolean(),
      secrets: fc.uniqueArray(clientSecretArbitrary(), { minLength: 1, maxLength: 5, selector: ({ id }) => id }),
      // Counted from `createdAt`, for now: seconds, or never.
      tokensNotBefore: fc.oneof({ withCrossShrink: true }, fc.constant(0), fc.integer({ min: 1, max: 10_000_000 })),
      version: fc.integer({ min: 1, max: 1_000 }),
    },
    {},
  ).map(({ tokensNotBefore, ...client }) => {
    const createdAt = Math.min(...client.secrets.map((secret) => secret.createdAt));
    const notBefore = tokensNotBefore === 0 ? 0 : Math.floor(createdAt / 1_000) + tokensNotBefore;
    return { ...client, createdAt, tokensNotBefore: notBefore, ...change };
  });

/**
 * Clients as a screen of the host shows them.
 * @example
 * fc.assert(fc.property(clientViewArbitrary(), ({ secrets }) => secrets.every((secret) => !('digest' in secret))));
 * @public
 */
export const clientViewArbitrary = (change: Partial<ClientView> = {}): fc.Arbitrary<ClientView> =>
  clientArbitrary().map(({ version: _version, secrets, ...client }) => ({
    ...client,
    secrets: secrets.map(({ digest: _digest, ...secret }) => secret),
    ...change,
  }));

/**
 * A client, and a secret that it logs in with.
 * @public
 */
export interface Credentials {
  readonly client: Client;
  readonly secret: string;
}

/**
 * Clients that may log in, each with a living secret in clear; their other secrets may be dead.
 * @example
 * const property = fc.asyncProperty(credentialsArbitrary({ accountId: 'acc_own' }), async ({ client, secret }) => {
 *   const { storage, login } = await scriptedHost();
 *   await storage.clients.insertClient(client);
 *   await login({ id: client.id, secret });
 * });
 * await fc.assert(property);
 * @public
 */
export const credentialsArbitrary = (
  change: Partial<Omit<Client, 'secrets' | 'disabled'>> = {},
): fc.Arbitrary<Credentials> =>
  fc
    .tuple(clientArbitrary(), wellFormedSecretArbitrary())
    .filter(([client, secret]) => client.secrets.slice(1).every(({ id }) => !secret.includes(id)))
    .map(([client, secret]) => {
      const { expiresAt: _never, ...first } = client.secrets[0] as ClientSecret;
      const living = { ...first, id: secret.split('_')[1] as string, digest: digestOf(secret), revoked: false };
      const secrets = [living, ...client.secrets.slice(1)];
      return { client: { ...client, disabled: false, secrets, ...change }, secret };
    });
