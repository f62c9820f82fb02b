import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString());

/** Header and payload of a JWT; made up when the tokens of the platform are opaque. */
const read = (token: string): { readonly header: object; readonly payload: object } => {
  const [header, payload] = token.split('.');
  if (header !== undefined && payload !== undefined) return { header: decode(header), payload: decode(payload) };
  return {
    header: { alg: 'ES256', typ: 'at+jwt', kid: 'k1' },
    payload: { sub: 'client', client_id: 'client', account: 'org_main', environment: 'prod', scope: 'USER' },
  };
};
const joined = (header: object, payload: object, signature: (text: string) => string): string => {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${signature(text)}`;
};
const es256 =
  (key: KeyObject) =>
  (text: string): string =>
    sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
const hs256 =
  (secret: string) =>
  (text: string): string =>
    createHmac('sha256', secret).update(text).digest('base64url');
const ownKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Forgeries of a genuine token without the key of the platform. @internal */
export const forgeries: Readonly<Record<string, (token: string) => string>> = {
  'an unsigned JWT (alg none)': (token) => {
    const { header, payload } = read(token);
    return joined({ ...header, alg: 'none' }, payload, () => '');
  },
  'a JWT signed with an HMAC whose key is empty': (token) => {
    const { header, payload } = read(token);
    return joined({ ...header, alg: 'HS256' }, payload, hs256(''));
  },
  'a JWT signed with an HMAC whose key is the kid': (token) => {
    const { header, payload } = read(token);
    return joined({ ...header, alg: 'HS256' }, payload, hs256((header as { readonly kid?: string }).kid ?? ''));
  },
  'a JWT signed with another key': (token) => {
    const { header, payload } = read(token);
    return joined({ ...header, alg: 'ES256' }, payload, es256(ownKey().privateKey));
  },
  'a JWT that brings its own key in its header': (token) => {
    const { header, payload } = read(token);
    const { privateKey, publicKey } = ownKey();
    const jwk = publicKey.export({ format: 'jwk' });
    return joined({ ...header, alg: 'ES256', jwk }, payload, es256(privateKey));
  },
  'a JWT whose account was changed': (token) => {
    const { header, payload } = read(token);
    return joined(header, { ...payload, account: 'org_stranger' }, () => token.split('.')[2] ?? 'x');
  },
  'a token without its last character': (token) => token.slice(0, -1),
  'a token with an additional character': (token) => `${token}A`,
  'a token without its first character': (token) => token.slice(1),
  'a token twice, joined': (token) => token + token,
  'a token twice, with a dot between': (token) => `${token}.${token}`,
  'a token with another encoding of its last character': (token) => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // The lowest bit of the last character is unused when the length is not a multiple of four.
    const last = letters.indexOf(token.slice(-1));
    return token.slice(0, -1) + (letters[last ^ 1] ?? 'A');
  },
  'a token with padding': (token) => `${token}=`,
};
