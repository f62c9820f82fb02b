import { randomUUID } from 'node:crypto';
import type { AccessTokens, TokenClaims } from '@partnerkit/core/adapter';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { vi } from 'vitest';
import { joseAccessTokens } from '../../../src/jose/index.ts';
import { jwtAccessTokens } from '../../../src/tokens/jwt-access-tokens.ts';
import type { SigningKey } from '../../../src/tokens/signing-key.ts';

export const issuer = 'https://api.platform.example';
export const audience = 'https://api.platform.example/api/v1/partner';

/** The present of tests with a frozen date, in seconds. */
export const now = 1_790_000_000;
export const freezeDate = (): void => {
  vi.useFakeTimers({ now: now * 1_000, toFake: ['Date'] });
};

/** The key as a process holds it that only verifies. */
export const publicPart = ({ d: _d, ...jwk }: SigningKey): SigningKey => jwk;

type Ring = readonly [SigningKey, ...SigningKey[]];

export const tokensOf = (...keys: Ring): AccessTokens => jwtAccessTokens({ keys, issuer, audience });

/** Both adapters, with keys that both take. */
export const adapters: readonly (readonly [string, (...keys: Ring) => AccessTokens | Promise<AccessTokens>])[] = [
  ['jwtAccessTokens', tokensOf],
  ['joseAccessTokens', (...keys) => joseAccessTokens({ keys: keys as never, issuer, audience })],
];

export const someClaims = (changes: Partial<TokenClaims> = {}): TokenClaims => {
  const issuedAt = Math.floor(Date.now() / 1_000);
  return {
    clientId: '0195c1a0-0000-7000-8000-000000000001',
    accountId: 'acc_été',
    environment: 'prod',
    secretId: 'aBcDeF123456',
    scope: 'USER',
    jti: randomUUID(),
    issuedAt,
    expiresAt: issuedAt + 3_600,
    ...changes,
  };
};

/** A token signed by jose with `key`, however wrong its header and payload are. */
export const forge = async (
  key: SigningKey,
  { header = {}, payload = {} }: { readonly header?: object; readonly payload?: object } = {},
): Promise<string> => {
  const iat = Math.floor(Date.now() / 1_000);
  const genuine = {
    ...{ iss: issuer, aud: audience, sub: 'client', client_id: 'client', account: 'account', environment: 'prod' },
    ...{ secret_id: 'secret', scope: 'USER', jti: 'jti', iat, exp: iat + 60 },
  };
  const whole = { alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header } as JWTHeaderParameters;
  return new SignJWT({ ...genuine, ...payload }).setProtectedHeader(whole).sign(await importJWK({ ...key }, key.alg));
};

export const read = (token: string) => ({ header: decodeProtectedHeader(token), payload: decodeJwt(token) });
