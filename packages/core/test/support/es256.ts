import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { AccessTokens, TokenClaims } from '../../src/access/tokens/access-tokens.ts';
import type { TokenKeys } from '../../src/access/tokens/token-keys.ts';
import type { P256Jwk } from '../../src/base/crypto/p256.ts';

/** A key of the ring: without `d`, it only verifies. */
type RingKey = Omit<P256Jwk, 'd'> & Partial<Pick<P256Jwk, 'd'>>;
type Ring = Omit<TokenKeys, 'keys'> & { readonly keys: readonly RingKey[] };

const text = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const dsaEncoding = 'ieee-p1363';

/** The least access tokens with a ring of keys: a signature over the claims, with key, issuer and audience. */
export const es256Tokens = ({ keys, issuer, audience, earlier }: Ring): AccessTokens => ({
  issuer,
  issue: async (claims) => {
    const { kid, ...jwk } = keys[0] as RingKey;
    const signed = text({ ...claims, kid, iss: issuer, aud: audience });
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding }).toString('base64url')}`;
  },
  verify: async (token) => {
    const [signed = '', signature = ''] = token.split('.');
    const { kid, iss, aud, ...claims } = JSON.parse(Buffer.from(signed, 'base64url').toString());
    const { d: _private, ...jwk } = keys.find((each) => each.kid === kid) ?? ({} as RingKey);
    if (!jwk.kid || ![{ issuer, audience }, ...earlier].some((own) => own.issuer === iss && own.audience === aud))
      return undefined;
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const isGenuine = verify('sha256', Buffer.from(signed), { key, dsaEncoding }, Buffer.from(signature, 'base64url'));
    return isGenuine ? (claims as TokenClaims) : undefined;
  },
  jwks: async () => ({ keys: keys.map(({ d: _private, ...jwk }) => jwk) }),
});
