import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { platform } from '../../support/kit.ts';

type Members = Readonly<Record<string, unknown>>;

const tokens = { ...memoryAccessTokens(), issuer: 'https://api.platform.example', verifyAssertion: async () => false };
const save = async (keys: unknown, options: Parameters<typeof platform>[0] = { tokens }) =>
  platform(options).kit.clients.create('acc_a', { name: 'key', jwks: { keys } as never });
const exported = (type: 'ec' | 'ed25519' | 'rsa', options: object): Members => {
  const { publicKey } = generateKeyPairSync(type as 'rsa', options as { modulusLength: number });
  return publicKey.export({ format: 'jwk' }) as Members;
};

/** The key of RFC 7638 §3.1, and its thumbprint there. */
const rfcKey = {
  kty: 'RSA',
  n:
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMst' +
    'n64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajr' +
    'n1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
  e: 'AQAB',
};
/** The key of RFC 7517, appendix A.1. */
const p256 = {
  ...{ kty: 'EC', crv: 'P-256' },
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
};
/** The public key of RFC 8037, appendix A.2, and its thumbprint of A.3. */
const ed25519 = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

describe('stored', () => {
  test('the public members, the algorithm of the curve, and the thumbprint as kid (RFC 7638)', async () => {
    const created = await save([
      { ...rfcKey, alg: 'RS256', kid: '2011-04-29' },
      ed25519,
      { ...rfcKey, ...p256, kid: 'é' },
    ]);
    expect(created._unsafeUnwrap().client.jwks).toEqual({
      keys: [
        { ...rfcKey, kid: '2011-04-29', alg: 'RS256' },
        { ...ed25519, kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', alg: 'Ed25519' },
        { ...p256, kid: 'é', alg: 'ES256' },
      ],
    });
    const [key] = (await save([{ ...rfcKey, alg: 'PS256' }]))._unsafeUnwrap().client.jwks?.keys ?? [];
    expect(key?.kid).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
  });

  test('members that are not of the key are dropped', async () => {
    const more = { use: 'sig', key_ops: ['verify'], ext: true, x5u: 'http://127.0.0.1/', x5c: ['AA=='] };
    const created = (await save([{ ...ed25519, ...more }]))._unsafeUnwrap();
    expect(Object.keys(created.client.jwks?.keys[0] ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'x']);
    expect(created).not.toHaveProperty('secret');
  });

  test('RSA of 2,048 and of 4,096 bits, and P-384', async () => {
    const rsa = [2_048, 4_096].map((modulusLength) => ({ ...exported('rsa', { modulusLength }), alg: 'PS256' }));
    const created = await save([...rsa, exported('ec', { namedCurve: 'P-384' })]);
    expect(created._unsafeUnwrap().client.jwks?.keys.map(({ alg }) => alg)).toEqual(['PS256', 'PS256', 'ES384']);
  });
});

const off = { ...p256, y: p256.x };
const base64url = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url');

describe('refused, with the place', () => {
  test.each([
    ['a private key', { ...p256, d: 'AA' }, 'd'],
    ['a private RSA key', { ...rfcKey, alg: 'RS256', p: 'AA' }, 'p'],
    ['an RSA key without alg', rfcKey, 'alg'],
    ['an RSA key for ES256', { ...rfcKey, alg: 'ES256' }, 'alg'],
    ['an RSA key of 1,024 bits', { ...exported('rsa', { modulusLength: 1_024 }), alg: 'RS256' }, 'n'],
    [
      'an RSA key of exponent 3',
      { ...exported('rsa', { modulusLength: 2_048, publicExponent: 3 }), alg: 'RS256' },
      'e',
    ],
    ['an RSA key without a modulus', { kty: 'RSA', e: 'AQAB', alg: 'RS256' }, 'n'],
    ['a modulus that is no Base64url', { ...rfcKey, n: 'é', alg: 'RS256' }, 'n'],
    ['a modulus of 8,192 bits', { ...rfcKey, n: 'n'.repeat(1_366), alg: 'RS256' }, 'n'],
    ['a key for HMAC', { kty: 'oct', k: 'AAAA' }, 'kty'],
    ['an HMAC algorithm', { ...p256, alg: 'HS256' }, 'alg'],
    ['the algorithm none', { ...p256, alg: 'none' }, 'alg'],
    ['an algorithm of another curve', { ...p256, alg: 'ES384' }, 'alg'],
    ['a key for encryption', { ...p256, use: 'enc' }, 'use'],
    ['P-521', exported('ec', { namedCurve: 'P-521' }), 'crv'],
    ['secp256k1', exported('ec', { namedCurve: 'secp256k1' }), 'crv'],
    ['X25519', { ...ed25519, crv: 'X25519' }, 'crv'],
    ['an EC key of Ed25519', { ...p256, crv: 'Ed25519' }, 'crv'],
    ['a point off the curve', off, 'x'],
    ['no y', { ...p256, y: undefined }, 'x'],
    ['an Ed25519 key of 31 bytes', { ...ed25519, x: ed25519.x.slice(0, 42) }, 'x'],
    ['the neutral point of Ed25519', { ...ed25519, x: base64url(`01${'00'.repeat(31)}`) }, 'x'],
    [
      'a point of order 8',
      { ...ed25519, x: base64url('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85') },
      'x',
    ],
    ['a kid that is no text', { ...p256, kid: 1 }, 'kid'],
    ['a kid of 257 bytes', { ...p256, kid: 'k'.repeat(257) }, 'kid'],
    ['no kty', { ...p256, kty: undefined }, 'kty'],
  ])('%s', async (_name, key, member) => {
    const failure = (await save([ed25519, key]))._unsafeUnwrapErr();
    expect(failure).toMatchObject({ code: 'invalid_input', errors: [{ pointer: `/jwks/keys/1/${member}` }] });
  });

  test.each([
    ['no keys', [], '/jwks/keys'],
    ['six keys', Array(6).fill(ed25519), '/jwks/keys'],
    ['a key twice', [ed25519, { ...ed25519, kid: 'other' }], '/jwks/keys/1/kid'],
    [
      'a kid twice',
      [
        { ...ed25519, kid: 'k' },
        { ...p256, kid: 'k' },
      ],
      '/jwks/keys/1/kid',
    ],
    ['a text', 'keys', '/jwks/keys'],
    ['a text as a key', ['key'], '/jwks/keys/0'],
  ])('%s', async (_name, keys, pointer) => {
    expect((await save(keys))._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_input', errors: [{ pointer }] });
  });

  test('an address of keys: it is fetched from nowhere', async () => {
    const { kit } = platform({ tokens });
    const input = { name: 'key', jwks_uri: 'http://169.254.169.254/' };
    expect(() => kit.clients.create('acc_a', input as never)).toThrow(TypeError);
    const inside = { name: 'key', jwks: { keys: [ed25519], jwks_uri: 'http://169.254.169.254/' } };
    expect((await kit.clients.create('acc_a', inside as never))._unsafeUnwrapErr()).toMatchObject({
      errors: [{ pointer: '/jwks/jwks_uri' }],
    });
  });

  test('any key, when the tokens verify no assertion, or nothing names the platform', async () => {
    for (const without of [memoryAccessTokens(), { ...memoryAccessTokens(), verifyAssertion: async () => true }])
      expect((await save([ed25519], { tokens: without }))._unsafeUnwrapErr()).toMatchObject({
        code: 'invalid_input',
        errors: [{ pointer: '/jwks', detail: expect.stringContaining('verifyAssertion') }],
      });
    const { kit } = platform({ tokens: memoryAccessTokens() });
    const { client } = (await kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap();
    const changed = await kit.clients.update('acc_a', client.id, { jwks: { keys: [ed25519] } as never });
    expect(changed._unsafeUnwrapErr()).toMatchObject({ errors: [{ pointer: '/jwks' }] });
  });
});
