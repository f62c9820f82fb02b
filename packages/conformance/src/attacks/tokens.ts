import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type AttackTarget, bearer, type HttpAttack, shown } from './attack.ts';
import { presentedTokens, tokenAttack } from './presented-tokens.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(part, 'base64url').toString());

interface Parts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly signature: string;
}

/** Header, payload and signature of a JWT; made up when the tokens of the host are opaque. */
const read = (token: string): Parts => {
  const [header, payload, signature] = token.split('.');
  if (header !== undefined && payload !== undefined && signature !== undefined)
    return { header: decode(header), payload: decode(payload), signature };
  return {
    header: { alg: 'ES256', typ: 'at+jwt', kid: 'k1' },
    payload: { sub: 'client', client_id: 'client', account: 'account', environment: 'prod', scope: 'USER' },
    signature: 'x',
  };
};

type Sign = (text: string, parts: Parts) => string;
const joined = (header: unknown, payload: unknown, signature: Sign, parts: Parts): string => {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${signature(text, parts)}`;
};
const own = (() => {
  let pair: ReturnType<typeof generateKeyPairSync> | undefined;
  return () => {
    pair ??= generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return pair as { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  };
})();
const es256: Sign = (text) =>
  sign('sha256', Buffer.from(text), { key: own().privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
const der: Sign = (text) => sign('sha256', Buffer.from(text), own().privateKey).toString('base64url');
const hmac =
  (hash: string, key: (parts: Parts) => string): Sign =>
  (text, parts) =>
    createHmac(hash, key(parts)).update(text).digest('base64url');
const kept: Sign = (_text, { signature }) => signature;
const without: Sign = () => '';

type Forge = (token: string, target: AttackTarget) => string;
/** A token with another header or payload, signed in some way. */
const forged =
  (
    change: (parts: Parts, target: AttackTarget) => { readonly header?: unknown; readonly payload?: unknown },
    by: Sign,
  ): Forge =>
  (token, target) => {
    const parts = read(token);
    const { header = parts.header, payload = parts.payload } = change(parts, target);
    return joined(header, payload, by, parts);
  };
const withHeader = (change: object, by: Sign): Forge =>
  forged(({ header }) => ({ header: { ...header, ...change } }), by);
const omit = (object: Readonly<Record<string, unknown>>, name: string) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const segment = (token: string, index: number): string => token.split('.')[index] ?? '';
const replaced = (token: string, index: number, by: (text: string) => string): string =>
  token
    .split('.')
    .map((part, at) => (at === index ? by(part) : part))
    .join('.');

/** Spellings of the genuine token that no issuer writes. */
const spellings: Readonly<Record<string, Forge>> = {
  'a token without its last character': (token) => token.slice(0, -1),
  'a token with an additional character': (token) => `${token}A`,
  'a token without its first character': (token) => token.slice(1),
  'a token twice, joined': (token) => token + token,
  'a token twice, with a dot between': (token) => `${token}.${token}`,
  'a token with another encoding of its last character': (token) =>
    // The lowest bit of the last character is unused when the length is not a multiple of four.
    token.slice(0, -1) + (letters[letters.indexOf(token.slice(-1)) ^ 1] ?? 'A'),
  'a token with padding': (token) => `${token}=`,
  'a token with two characters of padding': (token) => `${token}==`,
  'a token with padding in each part': (token) => token.split('.').join('=.') || `${token}=`,
  'a token with a dot at its end': (token) => `${token}.`,
  'a token with a dot at its beginning': (token) => `.${token}`,
  'a token with a line end, escaped': (token) => `${token}%0A`,
  'a token in capitals': (token) => token.toUpperCase(),
  'a token in small letters': (token) => `${token.toLowerCase()}A`,
  'a token backwards': (token) => [...token].reverse().join(''),
  'a token whose letters are percent-encoded': (token) => token.replaceAll('e', '%65').concat('%'),
  'a token in Base64': (token) => Buffer.from(token).toString('base64'),
  'a token in hexadecimal': (token) => Buffer.from(token).toString('hex'),
  'a token in quotes': (token) => `"${token}"`,
  'a token in brackets': (token) => `<${token}>`,
  'a token with a comma after it': (token) => `${token},`,
  'a token with a semicolon and a parameter': (token) => `${token};a=b`,
  'a token with an additional part': (token) => `${token}.e30`,
  'a token without its signature': (token) => (token.includes('.') ? token.split('.').slice(0, 2).join('.') : 'a.b'),
  'a token with an empty signature': (token) => (token.includes('.') ? replaced(token, 2, () => '') : 'a.b.'),
  'a token with an empty header': (token) => (token.includes('.') ? replaced(token, 0, () => '') : '.b.c'),
  'a token with an empty payload': (token) => (token.includes('.') ? replaced(token, 1, () => '') : 'a..c'),
  'header and payload in each other’s place': (token) =>
    `${segment(token, 1)}.${segment(token, 0)}.${segment(token, 2)}`,
  'a header that is no JSON': (token) =>
    `${Buffer.from('{').toString('base64url')}.${segment(token, 1)}.${segment(token, 2)}`,
  'a header that is JSON null': (token) => `bnVsbA.${segment(token, 1)}.${segment(token, 2)}`,
  'a header that is a list': (token) => `W10.${segment(token, 1)}.${segment(token, 2)}`,
  'a payload that is JSON null': (token) => `${segment(token, 0)}.bnVsbA.${segment(token, 2)}`,
  'two dots': () => '..',
  'five parts, as an encrypted token': () => 'a.b.c.d.e',
  'an encrypted token of nothing': () =>
    `${encode({ alg: 'dir', enc: 'A256GCM' })}..AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA`,
  'the word null': () => 'null',
  'the word undefined': () => 'undefined',
  'the word true': () => 'true',
  'a JSON object': () => '{}',
  'the client secret': (_token, { clientSecret }) => clientSecret,
  'the client id': (_token, { clientId }) => clientId,
  'a token of 15,000 bytes': () => 'x'.repeat(15_000),
  'a token of 5,000 dots': () => '.'.repeat(5_000),
  'a header of 10,000 letters': () => `${encode({ alg: 'ES256', kid: 'k'.repeat(7_000) })}.e30.AA`,
  'a payload nested 2,000 deep': () =>
    `${encode({ alg: 'ES256' })}.${Buffer.from('['.repeat(2_000)).toString('base64url')}.AA`,
};

const keys: Readonly<Record<string, (parts: Parts) => string>> = {
  'an empty text': () => '',
  'the kid': ({ header }) => String(header['kid'] ?? ''),
  'the word secret': () => 'secret',
  'the client id': ({ payload }) => String(payload['client_id'] ?? ''),
};
const hmacs: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/** Signatures that prove nothing. */
const signatures: Readonly<Record<string, Forge>> = {
  ...Object.fromEntries(
    ['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg): [string, Forge][] => [
      [`an unsigned JWT (alg "${alg}")`, withHeader({ alg }, without)],
      [`a JWT (alg "${alg}") with the old signature`, withHeader({ alg }, kept)],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(hmacs).flatMap(([alg, hash]) =>
      Object.entries(keys).map(([what, key]): [string, Forge] => [
        `a JWT (alg ${alg}) signed with an HMAC whose key is ${what}`,
        withHeader({ alg }, hmac(hash, key)),
      ]),
    ),
  ),
  'a JWT signed with another key': withHeader({ alg: 'ES256' }, es256),
  'a JWT signed with another key, without a kid': forged(
    ({ header }) => ({ header: { ...omit(header, 'kid'), alg: 'ES256' } }),
    es256,
  ),
  'a JWT signed in the form DER': withHeader({ alg: 'ES256' }, der),
  'a JWT that brings its own key in its header': forged(
    ({ header }) => ({ header: { ...header, alg: 'ES256', jwk: own().publicKey.export({ format: 'jwk' }) } }),
    es256,
  ),
  'a JWT that names the address of its key': withHeader({ alg: 'ES256', jku: 'http://127.0.0.1:9/jwks.json' }, es256),
  'a JWT that names the address of its certificate': withHeader(
    { alg: 'ES256', x5u: 'http://127.0.0.1:9/c.pem' },
    es256,
  ),
  'a JWT that brings its certificate': withHeader({ alg: 'ES256', x5c: ['QQ'] }, es256),
  'a signature of 64 zeros': withHeader({}, () => Buffer.alloc(64).toString('base64url')),
  'a signature of 64 bytes of 255': withHeader({}, () => Buffer.alloc(64, 255).toString('base64url')),
  ...Object.fromEntries(
    ['ES384', 'ES512', 'RS256', 'RS512', 'PS256', 'EdDSA', 'es256', 'ES256K', 'dir'].map((alg) => [
      `a JWT of another algorithm, ${alg}`,
      withHeader({ alg }, es256),
    ]),
  ),
  ...Object.fromEntries(
    [
      '',
      '../../../../dev/null',
      '__proto__',
      "' or 1=1 --",
      'k'.repeat(4_000),
      null,
      0,
      true,
      [],
      {},
      'constructor',
    ].map((kid) => [`a JWT whose kid is ${shown(JSON.stringify(kid))}`, withHeader({ kid }, es256)]),
  ),
};

/** Claims that were changed under the old signature. */
const claims: Readonly<Record<string, Forge>> = {
  'a JWT whose account was changed': forged(
    ({ payload }, { foreignAccountId }) => ({ payload: { ...payload, account: foreignAccountId } }),
    kept,
  ),
  ...Object.fromEntries(
    [
      ...[
        ['account', '*'],
        ['account', ['a', 'b']],
        ['environment', 'dev'],
        ['scope', 'USER ADMIN'],
        ['sub', 'admin'],
      ],
      ...[
        ['client_id', 'admin'],
        ['iss', 'https://evil.example'],
        ['aud', 'https://evil.example'],
        ['jti', 'x'],
      ],
      ...[
        ['exp', 9_999_999_999],
        ['exp', '9999999999'],
        ['exp', 1e300],
        ['exp', null],
        ['iat', 0],
        ['nbf', 0],
      ],
      ['__proto__', { account: 'x' }],
    ].map(([name, value]) => [
      `a JWT whose ${name} was changed to ${shown(JSON.stringify(value))}`,
      forged(
        ({ payload }) => ({ payload: Object.fromEntries([...Object.entries(payload), [String(name), value]]) }),
        kept,
      ),
    ]),
  ),
  ...Object.fromEntries(
    ['account', 'environment', 'scope', 'sub', 'client_id', 'iss', 'aud', 'exp', 'iat', 'jti'].map((name) => [
      `a JWT without its ${name}`,
      // A member more: opaque tokens have no claim to leave out.
      forged(({ payload }) => ({ payload: { ...omit(payload, name), x: name } }), kept),
    ]),
  ),
  ...Object.fromEntries(
    [
      ...[{ typ: 'JWT' }, { typ: undefined }, { typ: 'id+jwt' }, { crit: ['exp'] }, { crit: [] }, { b64: false }],
      ...[{ zip: 'DEF' }, { cty: 'JWT' }, { alg: ['ES256'] }, { alg: null }, { enc: 'A256GCM' }],
    ].map((change) => [
      `a JWT whose header was changed: ${JSON.stringify(change)}`,
      withHeader({ x: 1, ...change }, kept),
    ]),
  ),
};

/** Forgeries of a genuine token without the key of the host, by what was done. */
export const forgeries: Readonly<Record<string, Forge>> = { ...spellings, ...signatures, ...claims };

/**
 * Tokens that must be refused: forged, misspelt, changed, or presented where no token belongs.
 * @public
 */
export const tokenAttacks: readonly HttpAttack[] = [
  ...presentedTokens,
  ...Object.entries(forgeries).map(([name, forge]) =>
    tokenAttack(name, (target) => [bearer(forge(target.token, target))[1]], 'token'),
  ),
];
