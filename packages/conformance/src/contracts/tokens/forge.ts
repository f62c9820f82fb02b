import { constants, createHmac, createPrivateKey, generateKeyPairSync, sign, type webcrypto } from 'node:crypto';
import type { AccessTokens, TokenClaims } from '@partnerkit/core/adapter';

/**
 * A private key of an adapter, as a JWK (RFC 7517) with `kid` and `alg`.
 * @public
 */
export type PrivateJwk = webcrypto.JsonWebKey & {
  /** Key ID. */
  readonly kid: string;
  /** Signature algorithm (RFC 7518). */
  readonly alg: string;
};

/** A header or a payload. */
export type Members = Readonly<Record<string, unknown>>;

export const base64url = (value: string | Uint8Array): string => Buffer.from(value).toString('base64url');
const json = (value: unknown): string => base64url(JSON.stringify(value));

/** Curve, digest and padding of an algorithm (RFC 7518 §3.1, RFC 8037). */
const algorithms: Readonly<Record<string, { readonly digest: string | null; readonly padding?: number }>> = {
  ES256: { digest: 'sha256' },
  ES384: { digest: 'sha384' },
  EdDSA: { digest: null },
  Ed25519: { digest: null },
  RS256: { digest: 'sha256', padding: constants.RSA_PKCS1_PADDING },
  RS512: { digest: 'sha512', padding: constants.RSA_PKCS1_PADDING },
  PS256: { digest: 'sha256', padding: constants.RSA_PKCS1_PSS_PADDING },
};

/** A new key of ES256. */
export const newKey = (kid: string): PrivateJwk => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  ...{ kid, alg: 'ES256' },
});

/** The members of a JWK that everybody may know. */
export const publicPart = ({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...jwk }: PrivateJwk): PrivateJwk => jwk;

/** Signs a text with the algorithm `alg`. */
export const signText = (
  { ...key }: PrivateJwk,
  text: string,
  {
    alg = key.alg,
    dsaEncoding = 'ieee-p1363',
  }: { readonly alg?: string; readonly dsaEncoding?: 'ieee-p1363' | 'der' } = {},
): string => {
  const { digest, padding } = algorithms[alg] ?? { digest: 'sha256' };
  const given = { key: createPrivateKey({ key, format: 'jwk' }), dsaEncoding, ...(padding ? { padding } : {}) };
  const salt = padding === constants.RSA_PKCS1_PSS_PADDING ? { saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {};
  return base64url(sign(digest, Buffer.from(text), { ...given, ...salt }));
};

/** Signs a text with a symmetric key. */
export const signWithSecret = (alg: string, secret: string | Uint8Array, text: string): string =>
  createHmac(alg.replace('HS', 'sha'), secret).update(text).digest('base64url');

/** What a genuine token holds: of the adapter itself, or of RFC 9068 when its tokens are opaque. */
export interface Template {
  readonly header: Members;
  readonly payload: Members;
}

const parse = (part = ''): Members => JSON.parse(Buffer.from(part, 'base64url').toString()) as Members;

/** Header and payload of a token that was issued with these claims. */
export const templateOf = async (tokens: AccessTokens, isOpaque: boolean, claims: TokenClaims): Promise<Template> => {
  const { clientId, accountId, environment, secretId, scope, jti, issuedAt, expiresAt } = claims;
  const issuer = { iss: 'https://platform.example', aud: 'https://platform.example/api/v1/partner' };
  const ids = { sub: clientId, client_id: clientId, account: accountId, environment, secret_id: secretId };
  if (isOpaque)
    return {
      header: { alg: 'ES256', typ: 'at+jwt', kid: 'k1' },
      payload: { ...issuer, ...ids, scope, jti, iat: issuedAt, exp: expiresAt },
    };
  const [header, payload] = (await tokens.issue(claims)).split('.');
  return { header: parse(header), payload: parse(payload) };
};

/** The signed text of a token: a member that is `undefined` is absent. */
export const unsigned = ({ header, payload }: Template, changes: Partial<Template> = {}): string =>
  `${json({ ...header, ...changes.header })}.${json({ ...payload, ...changes.payload })}`;

/** A token signed with `key`, however wrong its header and payload are. */
export const forge = (key: PrivateJwk, template: Template, changes: Partial<Template> = {}): string => {
  const text = unsigned(template, { ...changes, header: { kid: key.kid, alg: key.alg, ...changes.header } });
  return `${text}.${signText(key, text)}`;
};
