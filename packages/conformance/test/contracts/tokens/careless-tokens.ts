import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { AccessTokens, TokenClaims } from '@partnerkit/core/adapter';
import type { PrivateJwk } from '../../../src/contracts/index.ts';

/** What a verifier of JWTs can forget. */
export type Forgotten =
  | 'form'
  | 'signature'
  | 'symmetry'
  | 'origin of the key'
  | 'key id'
  | 'algorithm'
  | 'signature format'
  | 'type'
  | 'critical extensions'
  | 'audience'
  | 'payload'
  | 'expiry';

type Members = Readonly<Record<string, unknown>>;

const issuer = 'https://platform.example';
const audience = `${issuer}/api`;

const loaded = (jwk: object): KeyObject => createPublicKey({ key: { ...jwk }, format: 'jwk' });
const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const parse = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

const claimsOf = ({ sub, account, environment, secret_id, scope, jti, iat, exp }: Members): TokenClaims =>
  ({
    ...{ clientId: sub, accountId: account, environment, secretId: secret_id, scope, jti },
    ...{ issuedAt: iat, expiresAt: exp },
  }) as TokenClaims;

/** Signed JWTs that verify correctly, but for one check. */
export const carelessTokens = (
  keys: readonly [PrivateJwk, ...PrivateJwk[]],
  forgotten: Forgotten | 'nothing',
): AccessTokens => {
  const forgets = (check: Forgotten): boolean => check === forgotten;
  const [{ kid, ...signing }] = keys;

  const isSignedBy = (jwk: object, text: string, signature: string): boolean => {
    const check = (dsaEncoding: 'der' | 'ieee-p1363'): boolean =>
      verify('sha256', Buffer.from(text), { key: loaded(jwk), dsaEncoding }, Buffer.from(signature, 'base64url'));
    return check('ieee-p1363') || (forgets('signature format') && check('der'));
  };
  const isSymmetric = ({ alg, ...header }: Members, text: string, signature: string): boolean =>
    forgets('symmetry') &&
    alg === 'HS256' &&
    keys.some((key) => {
      const pem = loaded(key).export({ type: 'spki', format: 'pem' });
      return key.kid === header['kid'] && createHmac('sha256', pem).update(text).digest('base64url') === signature;
    });
  const isSigned = (header: Members, text: string, signature: string): boolean => {
    const { alg, jwk } = header;
    if (forgets('signature') && /^(none)?$/i.test(String(alg))) return true;
    if (isSymmetric(header, text, signature)) return true;
    if (!forgets('algorithm') && alg !== 'ES256') return false;
    if (forgets('origin of the key') && jwk) return isSignedBy(jwk, text, signature);
    return keys
      .filter((key) => forgets('key id') || key.kid === header['kid'])
      .some((key) => isSignedBy(key, text, signature));
  };
  const isValid = (payload: Members): boolean =>
    (forgets('audience') || [payload['aud']].flat().includes(audience)) &&
    (forgets('expiry') || Number(payload['exp']) > Date.now() / 1_000);

  const read = (token: string): TokenClaims | undefined => {
    const text = forgets('form') ? token.replace(/^Bearer /, '').trim() : token;
    const [head = '', body = '', signature = ''] = text.split('.');
    const header = parse(head) as Members;
    if (!forgets('type') && !/^(application\/)?at\+jwt$/.test(String(header['typ']))) return undefined;
    if (!forgets('critical extensions') && header['crit']) return undefined;
    if (!isSigned(header, `${head}.${body}`, signature)) return undefined;
    const payload = parse(body) as Members;
    if (forgets('payload') && typeof payload !== 'object') return claimsOf({});
    return isValid(payload) ? claimsOf(payload) : undefined;
  };

  return {
    issue: async ({ clientId, accountId, environment, secretId, scope, jti, issuedAt, expiresAt }) => {
      const payload = { iss: issuer, aud: audience, sub: clientId, account: accountId, environment };
      const times = { iat: issuedAt, exp: expiresAt };
      const head = json({ alg: 'ES256', typ: 'at+jwt', kid });
      const text = `${head}.${json({ ...payload, secret_id: secretId, scope, jti, ...times })}`;
      const key = createPrivateKey({ key: { ...signing }, format: 'jwk' });
      return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
    },
    verify: async (token) => {
      try {
        return read(token);
      } catch {
        return undefined;
      }
    },
  };
};
