import { generateKeyPairSync } from 'node:crypto';
import { createPartnerkit, type PartnerkitOptions, type Route } from '@partnerkit/core';
import { type MemoryTransaction, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';
// Real JWTs, from where they are made: this package knows no adapter.
import { joseAccessTokens } from '../../../node/src/jose/index.ts';
import type { AttackTarget } from '../../src/attacks/attack.ts';

export const accountId = 'acc_own';
export const foreignAccountId = 'acc_foreign';
const issuer = 'https://platform.example';

const objects = extendRequestObjects({});
type HostOptions = PartnerkitOptions<MemoryTransaction, typeof objects>;

/** A host with everything that is attacked, and a client of it. */
export const attackedHost = async (
  adapt: (options: HostOptions) => HostOptions = (options) => options,
): Promise<{
  readonly routes: readonly Route[];
  readonly client: Pick<AttackTarget, 'accountId' | 'foreignAccountId' | 'clientId' | 'clientSecret'>;
}> => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kit = createPartnerkit(
    adapt({
      accounts: memoryAccounts(
        [accountId, foreignAccountId].map((id) => ({ id, name: id, status: 'active', environment: 'prod' })),
      ),
      storage: memoryStorage(),
      tokens: await joseAccessTokens({
        keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' } as never],
        issuer,
        audience: issuer,
      }),
      sender: memorySender(),
      sealingKeys: [{ id: 'k', key: new Uint8Array(32) }],
      objects,
    }),
  );
  const requests = createRequests({ kit });
  const created = (await kit.clients.create(accountId, { name: 'Partner' }))._unsafeUnwrap();
  return {
    routes: [...kit.routes, ...requests.routes],
    client: { accountId, foreignAccountId, clientId: created.client.id, clientSecret: created.secret },
  };
};
