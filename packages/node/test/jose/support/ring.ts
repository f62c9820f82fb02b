import { randomUUID } from 'node:crypto';
import type { AccessTokens, TokenClaims } from '@partnerkit/core/ports';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { vi } from 'vitest';
import { generateRingKey, joseAccessTokens, type RingKey, type SigningAlgorithm } from '../../../src/jose/index.ts';

export const algorithms = ['ES256', 'ES384', 'EdDSA', 'RS256', 'PS256'] as const satisfies readonly SigningAlgorithm[];
export const issuer = 'https://api.platform.example';
export const audience = 'https://api.platform.example/api/v1/partner';

/** The present of every test, in seconds. */
export const now = 1_790_000_000;
export const freezeDate = (): void => {
  vi.useFakeTimers({ now: now * 1_000, toFake: ['Date'] });
};

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

export const someClaims = (changes: Partial<TokenClaims> = {}): TokenClaims => ({
  clientId: '0195c1a0-0000-7000-8000-000000000001',
  accountId: 'acc_été',
  environment: 'prod',
  secretId: 'aBcDeF123456',
  scope: 'USER',
  jti: randomUUID(),
  issuedAt: now,
  expiresAt: now + 3_600,
  ...changes,
});

/** What a genuine token holds, for {@link forge} to spoil. */
export const genuinePayload = (): Record<string, unknown> => ({
  iss: issuer,
  aud: audience,
  sub: 'client',
  client_id: 'client',
  account: 'account',
  environment: 'prod',
  secret_id: 'secret',
  scope: 'USER',
  jti: 'jti',
  iat: now,
  exp: now + 60,
});

/** A token signed with `key`, however wrong its header and payload are. */
export const forge = async (
  key: RingKey,
  { header = {}, payload = genuinePayload() }: { readonly header?: object; readonly payload?: object } = {},
): Promise<string> => {
  const whole = { alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header } as JWTHeaderParameters;
  const { use: _use, ...jwk } = key as JWK;
  return new SignJWT({ ...payload }).setProtectedHeader(whole).sign(await importJWK(jwk, whole.alg));
};

export const read = (token: string) => ({ header: decodeProtectedHeader(token), payload: decodeJwt(token) });
