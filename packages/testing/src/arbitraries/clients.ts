import type { Client, ClientSecret } from '@partnerkit/core/ports';
import fc from 'fast-check';
import { secretId } from './client-secrets.ts';
import { idArbitrary, identifierArbitrary, moment } from './identifiers.ts';
import { recordOf } from './record-of.ts';

const twoYears = 2 * 365 * 24 * 3_600_000;
const hex = fc.constantFrom(...'0123456789abcdef');

/**
 * Stored secrets of a client, with and without a label, an expiry, a use and a revocation.
 * @internal
 */
const clientSecretArbitrary = (change: Partial<ClientSecret> = {}): fc.Arbitrary<ClientSecret> => {
  const age = fc.nat(twoYears);
  return recordOf<ClientSecret>(
    {
      id: secretId(),
      label: identifierArbitrary(),
      digest: fc.string({ unit: hex, minLength: 64, maxLength: 64 }),
      createdAt: moment(),
      // Relative to `createdAt` until the record is built.
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
 * Clients with one to five secrets; the client was created with its first secret.
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
      // Seconds relative to `createdAt` until the record is built; 0 is never.
      tokensNotBefore: fc.oneof({ withCrossShrink: true }, fc.constant(0), fc.integer({ min: 1, max: 10_000_000 })),
      version: fc.integer({ min: 1, max: 1_000 }),
    },
    {},
  ).map(({ tokensNotBefore, ...client }) => {
    const createdAt = Math.min(...client.secrets.map((secret) => secret.createdAt));
    const notBefore = tokensNotBefore === 0 ? 0 : Math.floor(createdAt / 1_000) + tokensNotBefore;
    return { ...client, createdAt, tokensNotBefore: notBefore, ...change };
  });
