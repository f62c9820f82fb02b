import { generateKeyPairSync } from 'node:crypto';
import { createPartnerkit, type PartnerkitOptions, type Route } from '@partnerkit/core';
import { type MemoryTransaction, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';
// Real JWTs, from where they are made: this package knows no adapter.
import { joseAccessTokens } from '../../../node/src/jose/index.ts';
import type { AttackTarget } from '../../src/attacks/attack.ts';
import { publicPart } from '../../src/contracts/tokens/forge.ts';

export const accountId = 'acc_own';
export const foreignAccountId = 'acc_foreign';
const issuer = 'https://platform.example';

const keyOf = (kid: string) => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  ...{ kid, alg: 'ES256' },
});
const rsaOf = (kid: string) => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' }),
  ...{ kid, alg: 'RS256' },
});
/** No attack is refused because another one was before. */
const unlimited = { points: 100_000, window: 60_000 };

const objects = extendRequestObjects({});
type HostOptions = PartnerkitOptions<MemoryTransaction, typeof objects>;

/** A host with everything that is attacked, and a client of it. */
export const attackedHost = async (
  adapt: (options: HostOptions) => HostOptions = (options) => options,
): Promise<{
  readonly routes: readonly Route[];
  readonly client: Required<Omit<AttackTarget, 'basePath' | 'token'>>;
}> => {
  const kit = createPartnerkit(
    adapt({
      accounts: memoryAccounts(
        [accountId, foreignAccountId].map((id) => ({ id, name: id, status: 'active', environment: 'prod' })),
      ),
      storage: memoryStorage(),
      tokens: await joseAccessTokens({
        keys: [keyOf('k1') as never],
        issuer,
        audience: issuer,
      }),
      sender: memorySender(),
      limits: { failedLogins: { perAddress: unlimited, perClientAndAddress: unlimited } },
      advanced: { sealingKeys: [{ id: 'k', key: new Uint8Array(32) }] },
      objects,
    }),
  );
  const requests = createRequests({ kit });
  const created = (await kit.clients.create(accountId, { name: 'Partner' }))._unsafeUnwrap();
  const assertions = { audience: issuer, key: keyOf('own'), rsa: rsaOf('rsa') };
  const jwks = { keys: [publicPart(assertions.key), publicPart(assertions.rsa)] as never };
  (await kit.clients.update(accountId, created.client.id, { jwks }))._unsafeUnwrap();
  return {
    routes: [...kit.routes, ...requests.routes],
    client: { accountId, foreignAccountId, clientId: created.client.id, clientSecret: created.secret, assertions },
  };
};
