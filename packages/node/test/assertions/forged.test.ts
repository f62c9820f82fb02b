import { createHmac, type webcrypto } from 'node:crypto';
import { base64url, exportJWK } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  adapters,
  claimsOf,
  issuer,
  loginAddress,
  type Pair,
  type Platform,
  pairOf,
  seconds,
  sign,
  startPlatform,
} from './support/platform.ts';

interface Forgery {
  readonly clientId: string;
  readonly otherId: string;
  /** The pair of the client, which has `kid: 'own'`. */
  readonly own: Pair;
  readonly rsa: Pair;
  readonly stranger: Pair;
}
type Forge = (forgery: Forgery) => Promise<string>;
type Reason = 'malformed_assertion' | 'wrong_assertion' | 'wrong_assertion_claims' | 'expired_assertion' | undefined;

const encode = (value: unknown): string => base64url.encode(JSON.stringify(value));
const part = (assertion: string, place: number): string => assertion.split('.')[place] ?? '';

/** An assertion of the right key with other claims. */
const claiming =
  (changes: Record<string, unknown> | ((forgery: Forgery) => Record<string, unknown>)): Forge =>
  (forgery) =>
    sign(forgery.own, {
      ...claimsOf(forgery.clientId),
      ...(typeof changes === 'function' ? changes(forgery) : changes),
    });

/** An assertion of the right key with another header. */
const heading =
  (header: Record<string, unknown>): Forge =>
  ({ own, clientId }) =>
    sign(own, claimsOf(clientId), header);

/** Another header before the claims, with a signature that is made of both. */
const unsigned =
  (header: Record<string, unknown>, signature: (signed: string, forgery: Forgery) => string | Promise<string>): Forge =>
  async (forgery) => {
    const signed = `${encode(header)}.${encode(claimsOf(forgery.clientId))}`;
    return `${signed}.${await signature(signed, forgery)}`;
  };

/** An HMAC whose key is public. */
const hmac = (alg: string, hash: string, key: (forgery: Forgery) => string | Promise<string>): Forge =>
  unsigned({ alg }, async (signed, forgery) =>
    createHmac(hash, await key(forgery))
      .update(signed)
      .digest('base64url'),
  );

/** A genuine assertion whose text is changed. */
const changed =
  (change: (assertion: string) => string): Forge =>
  async ({ own, clientId }) =>
    change(await sign(own, claimsOf(clientId)));

const kept = async (_signed: string, { own, clientId }: Forgery): Promise<string> =>
  part(await sign(own, claimsOf(clientId)), 2);
const publicKeyOf = async ({ rsa }: Forgery): Promise<string> => JSON.stringify(rsa.publicJwk);

const algorithms: readonly (readonly [string, Forge, Reason])[] = [
  ...['none', 'None', 'NONE', 'nOnE'].map(
    (alg) => [`alg ${alg} with the signature of another`, unsigned({ alg }, kept), 'wrong_assertion'] as const,
  ),
  ['alg none without a signature', unsigned({ alg: 'none' }, () => ''), 'malformed_assertion'],
  ['an empty alg', unsigned({ alg: '' }, kept), 'wrong_assertion'],
  ['no alg', unsigned({}, kept), 'wrong_assertion'],
  ['alg as a list', unsigned({ alg: ['ES256'] }, kept), 'wrong_assertion'],
  ['alg null', unsigned({ alg: null }, kept), 'wrong_assertion'],
  ['alg in lower case', unsigned({ alg: 'es256' }, kept), 'wrong_assertion'],
  ['alg __proto__', unsigned({ alg: '__proto__' }, kept), 'wrong_assertion'],
  ['HS256 with the public key', hmac('HS256', 'sha256', publicKeyOf), 'wrong_assertion'],
  ['HS384 with the public key', hmac('HS384', 'sha384', publicKeyOf), 'wrong_assertion'],
  ['HS512 with the client id', hmac('HS512', 'sha512', ({ clientId }) => clientId), 'wrong_assertion'],
  ['HS256 with an empty key', hmac('HS256', 'sha256', () => ''), 'wrong_assertion'],
  ['ES384 in the header of an ES256 signature', unsigned({ alg: 'ES384' }, kept), 'wrong_assertion'],
  ['RS256 in the header of an ES256 signature', unsigned({ alg: 'RS256' }, kept), 'wrong_assertion'],
  ['EdDSA in the header of an ES256 signature', unsigned({ alg: 'EdDSA' }, kept), 'wrong_assertion'],
  [
    'PS256 by an RSA key of RS256',
    async ({ clientId, rsa }) => sign({ ...(await asPss(rsa)), alg: 'PS256' }, claimsOf(clientId)),
    'wrong_assertion',
  ],
];

/** The same RSA key for the other padding. */
const asPss = async (rsa: Pair): Promise<Pair> => {
  const algorithm = { name: 'RSA-PSS', hash: 'SHA-256' };
  const { alg: _alg, key_ops: _ops, ...jwk } = await exportJWK(rsa.privateKey);
  const privateKey = await crypto.subtle.importKey('jwk', jwk as webcrypto.JsonWebKey, algorithm, false, ['sign']);
  return { ...rsa, privateKey };
};

const signatures: readonly (readonly [string, Forge, Reason])[] = [
  ['the key of a stranger', async ({ stranger, clientId }) => sign(stranger, claimsOf(clientId)), 'wrong_assertion'],
  [
    'the key of a stranger in the header',
    async ({ stranger, clientId }) => sign(stranger, claimsOf(clientId), { jwk: stranger.publicJwk }),
    'wrong_assertion',
  ],
  [
    'the address of a key in the header',
    async ({ stranger, clientId }) => sign(stranger, claimsOf(clientId), { jku: 'http://127.0.0.1:9/jwks.json' }),
    'wrong_assertion',
  ],
  [
    'a certificate in the header',
    async ({ stranger, clientId }) => sign(stranger, claimsOf(clientId), { x5c: ['AA=='] }),
    'wrong_assertion',
  ],
  [
    'the key of a stranger with the kid of the client',
    async ({ stranger, clientId }) => sign(stranger, claimsOf(clientId), { kid: 'own' }),
    'wrong_assertion',
  ],
  ['64 zeros', unsigned({ alg: 'ES256' }, () => base64url.encode(new Uint8Array(64))), 'wrong_assertion'],
  [
    '64 bytes of 255',
    unsigned({ alg: 'ES256' }, () => base64url.encode(new Uint8Array(64).fill(255))),
    'wrong_assertion',
  ],
  ['one byte', unsigned({ alg: 'ES256' }, () => 'AA'), 'wrong_assertion'],
  ['the signature of other claims', unsigned({ alg: 'ES256' }, kept), 'wrong_assertion'],
  ['a signature that is cut', changed((text) => text.slice(0, -6)), 'wrong_assertion'],
  ['a signature with more bytes', changed((text) => `${text}AAAA`), 'wrong_assertion'],
];

const headers: readonly (readonly [string, Forge, Reason])[] = [
  ['a kid that no key has', heading({ kid: 'other' }), 'wrong_assertion'],
  ['an empty kid', heading({ kid: '' }), 'wrong_assertion'],
  ['a kid that is a number', heading({ kid: 1 }), 'wrong_assertion'],
  ['a kid null', heading({ kid: null }), 'wrong_assertion'],
  ['a kid that is a path', heading({ kid: '../../dev/null' }), 'wrong_assertion'],
  ['typ at+jwt', heading({ typ: 'at+jwt' }), 'wrong_assertion'],
  ['typ dpop+jwt', heading({ typ: 'dpop+jwt' }), 'wrong_assertion'],
  ['a critical extension', unsigned({ alg: 'ES256', crit: ['exp'], exp: 1 }, kept), 'wrong_assertion'],
  ['no critical extensions', unsigned({ alg: 'ES256', crit: [] }, kept), 'wrong_assertion'],
];

const now = seconds();
const claims: readonly (readonly [string, Forge, Reason])[] = [
  ['no iss', claiming({ iss: undefined }), 'wrong_assertion_claims'],
  ['another iss', claiming(({ otherId }) => ({ iss: otherId })), 'wrong_assertion_claims'],
  ['the issuer of the platform as iss', claiming({ iss: issuer }), 'wrong_assertion_claims'],
  ['iss as a list', claiming(({ clientId }) => ({ iss: [clientId] })), 'wrong_assertion_claims'],
  ['another sub', claiming(({ otherId }) => ({ sub: otherId })), undefined],
  ['no aud', claiming({ aud: undefined }), 'wrong_assertion_claims'],
  ['an empty list of aud', claiming({ aud: [] }), 'wrong_assertion_claims'],
  ['the aud of another server', claiming({ aud: 'https://other.example' }), 'wrong_assertion_claims'],
  ['our aud beside another', claiming({ aud: [issuer, 'https://other.example'] }), 'wrong_assertion_claims'],
  ['both of our audiences', claiming({ aud: [issuer, loginAddress] }), 'wrong_assertion_claims'],
  ['aud with a slash at its end', claiming({ aud: `${issuer}/` }), 'wrong_assertion_claims'],
  ['aud in a list of a list', claiming({ aud: [[issuer]] }), 'wrong_assertion_claims'],
  ['aud null', claiming({ aud: null }), 'wrong_assertion_claims'],
  ['no exp', claiming({ exp: undefined }), 'wrong_assertion_claims'],
  ['exp as text', claiming({ exp: String(now + 60) }), 'wrong_assertion_claims'],
  ['exp null', claiming({ exp: null }), 'wrong_assertion_claims'],
  ['exp that has passed', claiming({ exp: now - 60 }), 'expired_assertion'],
  ['exp 0', claiming({ exp: 0 }), 'expired_assertion'],
  ['exp in ten minutes', claiming({ exp: now + 600 }), 'wrong_assertion_claims'],
  ['exp in milliseconds', claiming({ exp: now * 1_000 }), 'wrong_assertion_claims'],
  ['nbf to come', claiming({ nbf: now + 120 }), 'wrong_assertion_claims'],
  ['nbf as text', claiming({ nbf: String(now) }), 'wrong_assertion_claims'],
  ['iat to come', claiming({ iat: now + 120 }), 'wrong_assertion_claims'],
  ['iat of yesterday', claiming({ iat: now - 86_400 }), 'wrong_assertion_claims'],
  ['iat as text', claiming({ iat: String(now) }), 'wrong_assertion_claims'],
  ['no jti', claiming({ jti: undefined }), 'wrong_assertion_claims'],
  ['an empty jti', claiming({ jti: '' }), 'wrong_assertion_claims'],
  ['a jti of 129 bytes', claiming({ jti: `${'é'.repeat(64)}x` }), 'wrong_assertion_claims'],
  ['a jti that is a number', claiming({ jti: 7 }), 'wrong_assertion_claims'],
];

const texts: readonly (readonly [string, Forge, Reason])[] = [
  ['a.b.c', async () => 'a.b.c', undefined],
  ['two parts', changed((text) => text.slice(0, text.lastIndexOf('.'))), undefined],
  ['four parts', changed((text) => `${text}.AA`), undefined],
  ['five parts, as an encrypted JWT', changed((text) => `${text}.AA.AA`), undefined],
  ['padding', changed((text) => `${text}=`), undefined],
  ['a blank before it', changed((text) => ` ${text}`), undefined],
  ['a header that is no JSON', changed((text) => `e30x.${part(text, 1)}.${part(text, 2)}`), undefined],
  ['a header that is a list', changed((text) => `W10.${part(text, 1)}.${part(text, 2)}`), undefined],
  ['claims that are null', changed((text) => `${part(text, 0)}.bnVsbA.${part(text, 2)}`), undefined],
  [
    'a repeated claim',
    async ({ clientId }) => {
      const repeating = JSON.stringify(claimsOf(clientId)).replace('{', `{"sub":"${clientId}",`);
      return `${encode({ alg: 'ES256' })}.${base64url.encode(repeating)}.AA`;
    },
    undefined,
  ],
];

const table = [...algorithms, ...signatures, ...headers, ...claims, ...texts];
test('the table has at least 60 forgeries', () => {
  expect(table.length).toBeGreaterThanOrEqual(60);
});

describe.each(adapters)('%s', (_adapter, make) => {
  let platform: Platform;
  let pairs: Pick<Forgery, 'own' | 'rsa' | 'stranger'>;
  beforeAll(async () => {
    const unlimited = { points: 1_000_000, window: 1_000 };
    platform = await startPlatform({
      tokens: await make(),
      limits: { failedLogins: { perAddress: unlimited, perClientAndAddress: unlimited } },
    });
    pairs = { own: await pairOf('ES256', { kid: 'own' }), rsa: await pairOf('RS256'), stranger: await pairOf('ES256') };
  });

  test.each(table)('%s: refused', async (_name, forge, reason) => {
    const { addClient, present, refusalOf } = platform;
    const keys = [pairs.own.publicJwk, pairs.rsa.publicJwk];
    const [clientId, otherId] = [await addClient(keys), await addClient([pairs.stranger.publicJwk], 'acc_b')];
    const response = await present(await forge({ ...pairs, clientId, otherId }));
    expect([response.status, JSON.parse(response.body)]).toEqual([
      401,
      { error: 'invalid_client', error_description: expect.any(String) },
    ]);
    expect(await refusalOf(clientId)).toBe(reason === 'malformed_assertion' ? undefined : reason);
    expect((await present(await sign(pairs.own, claimsOf(clientId)))).status).toBe(200);
  });

  test('an access token of the platform is no assertion', async () => {
    const { addClient, present } = platform;
    const clientId = await addClient([pairs.own.publicJwk]);
    const token = JSON.parse((await present(await sign(pairs.own, claimsOf(clientId)))).body).access_token;
    expect((await present(token)).status).toBe(401);
  });
});

describe('credentials in two ways', () => {
  test.each([
    ['a secret', { client_secret: 'secret' }, 400, 'invalid_request'],
    [
      'another type',
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' },
      401,
      'invalid_client',
    ],
    ['no type', { client_assertion_type: '' }, 400, 'invalid_request'],
    ['another client_id', { client_id: '0195c1a0-0000-7000-8000-000000000001' }, 401, 'invalid_client'],
  ])('%s beside an assertion', async (_name, form, status, error) => {
    const platform = await startPlatform();
    const own = await pairOf('ES256');
    const response = await platform.present(await sign(own, claimsOf(await platform.addClient([own.publicJwk]))), form);
    expect([response.status, JSON.parse(response.body).error]).toEqual([status, error]);
  });
});
