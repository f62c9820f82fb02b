import { assertionType } from '../../../../src/access/tokens/assertion.ts';
import type { HttpResponse } from '../../../../src/base/http/route.ts';
import { memoryAccessTokens } from '../../../../src/stores/memory/access-tokens.ts';
import { start } from '../../../support/clock.ts';
import { call, loginPath, type Routed } from '../../../support/http.ts';
import { seededRandom } from '../../../support/random.ts';

export const issuer = 'https://api.platform.example';

/** Public keys of RFC 7517 (appendix A.1) and RFC 8037 (appendix A.2). */
export const p256 = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
} as const;
export const ed25519 = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Claims of a genuine assertion at the start of tests; one that is `undefined` is left out. */
export const claimsOf = (clientId: string, changes: object = {}): object => {
  const now = start / 1_000;
  return { iss: clientId, sub: clientId, aud: issuer, jti: 'jti', iat: now, exp: now + 60, ...changes };
};

/** An assertion that the key with the id `by` verifies. */
export const assertion = (claims: object, { by = 'own', header = {} }: { by?: string; header?: object } = {}): string =>
  `${encode({ alg: 'ES256', ...header })}.${encode(claims)}.${Buffer.from(by).toString('base64url')}`;

/** Tokens that verify an assertion by the id of a key in place of a signature, and record with which keys they did. */
export const namedTokens = () => {
  const verified: string[] = [];
  const tokens = {
    ...memoryAccessTokens({ random: seededRandom() }),
    issuer,
    verifyAssertion: async (
      text: string,
      key: { readonly kid: string; readonly kty: string; readonly crv?: string },
    ) => {
      verified.push(key.crv ?? key.kty);
      return key.kid !== '' && Buffer.from(text.split('.')[2] ?? '', 'base64url').toString() === key.kid;
    },
  };
  return { tokens, verified };
};

/** Logs in with an assertion. */
export const present = (kit: Routed, client_assertion: string): Promise<HttpResponse> => {
  const grant = { grant_type: 'client_credentials', scope: 'USER', client_assertion_type: assertionType };
  return call(kit, 'POST', loginPath, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...grant, client_assertion }).toString(),
  });
};
