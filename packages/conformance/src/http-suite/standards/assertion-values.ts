import { generateKeyPairSync } from 'node:crypto';
import type { Clients, PublicJwkInput } from '@partnerkit/core';
import { clientAssertion } from '../../attacks/forge-assertion.ts';
import { forgedAssertions } from '../../attacks/forged-assertions.ts';
import { type PrivateJwk, publicPart } from '../../contracts/tokens/forge.ts';

const ec = (kid: string): PrivateJwk => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  ...{ kid, alg: 'ES256' },
});
const rs256 = (kid: string): PrivateJwk => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' }),
  ...{ kid, alg: 'RS256' },
});
const stored = (key: PrivateJwk) => publicPart(key) as unknown as PublicJwkInput;

/** Names of forged assertions in rows, and what is wrong with each. */
const forged = {
  assertionNoIss: 'no iss',
  assertionOtherIss: 'another iss',
  assertionNoSub: 'no sub',
  assertionOtherSub: 'another sub',
  assertionNoAud: 'no aud',
  assertionOtherAud: 'the aud of another server',
  assertionAudSlash: 'our aud with a slash more',
  assertionAudList: 'our aud beside another',
  assertionNoExp: 'no exp',
  assertionExpired: 'an exp that has passed',
  assertionFar: 'exp in six minutes',
  assertionEarly: 'an nbf that is to come',
  assertionOld: 'an iat of yesterday',
  assertionNoJti: 'no jti',
  assertionUnsigned: 'alg none',
  assertionForeign: 'the key of another client',
  assertionHmac: 'HS256 with the public key in PEM',
  assertionCritical: 'a critical extension',
  assertionTwice: 'claims with sub twice',
} as const;

/** A client with public keys, and the assertions that rows name. Each has a `jti` of its own. */
export const assertionValues = async (
  clients: Clients,
  {
    accountId,
    issuer,
    login,
    token,
  }: { readonly accountId: string; readonly issuer: string; readonly login: string; readonly token: string },
): Promise<Readonly<Record<string, () => string>>> => {
  const [key, rsa, stranger] = [ec('own'), rs256('rsa'), ec('stranger')];
  const jwks = { keys: [stored(key), stored(rsa)] };
  const { client } = (await clients.create(accountId, { name: 'suite', jwks }))._unsafeUnwrap();
  const forgery = {
    ...{ clientId: client.id, otherId: '01930000-0000-7000-8000-000000000000', audience: issuer },
    ...{ key, rsa, stranger, token },
  };
  const type = 'urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3A';
  return {
    jwtBearer: () => `${type}jwt-bearer`,
    saml2Bearer: () => `${type}saml2-bearer`,
    assertion: () => clientAssertion(forgery),
    assertionRs256: () => clientAssertion({ ...forgery, key: rsa }),
    assertionAudEndpoint: () => clientAssertion(forgery, { aud: new URL(login, issuer).href }),
    assertionMore: () => clientAssertion(forgery, { azp: 'other', nonce: 'n', auth_time: 0 }),
    ...Object.fromEntries(
      Object.entries(forged).map(([name, what]) => [name, () => forgedAssertions[what]?.[1](forgery) ?? '']),
    ),
  };
};
