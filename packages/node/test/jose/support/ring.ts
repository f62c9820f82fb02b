import type { AccessTokens } from '@partnerkit/core/adapter';
import { generateRingKey, joseAccessTokens, type RingKey, type SigningAlgorithm } from '../../../src/jose/index.ts';
import { audience, issuer } from '../../tokens/support/ring.ts';

export const algorithms = ['ES256', 'ES384', 'EdDSA', 'RS256', 'PS256'] as const satisfies readonly SigningAlgorithm[];

const made = new Map<string, Promise<RingKey>>();

/** The same key for the same name: RSA keys take long to make. */
export const keyOf = (alg: SigningAlgorithm, name = 'a'): Promise<RingKey> => {
  const known = made.get(`${alg} ${name}`) ?? generateRingKey(alg);
  made.set(`${alg} ${name}`, known);
  return known;
};

/** The key as a process holds it that only verifies. */
export const publicPart = ({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...jwk }: RingKey): RingKey => jwk;

export const tokensOf = (...keys: readonly [RingKey, ...RingKey[]]): Promise<AccessTokens> =>
  joseAccessTokens({ keys, issuer, audience });
