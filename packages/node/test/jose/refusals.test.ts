import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import fc from 'fast-check';
import { CompactEncrypt, importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { propertyRuns } from '../../../../tools/tests/effort.ts';
import type { RingKey } from '../../src/jose/index.ts';
import {
  algorithms,
  audience,
  forge,
  freezeDate,
  genuinePayload,
  issuer,
  keyOf,
  now,
  publicPart,
  someClaims,
  tokensOf,
} from './support/ring.ts';

beforeAll(freezeDate);
afterAll(() => {
  vi.useRealTimers();
});

const base64url = (value: string | Uint8Array): string => Buffer.from(value).toString('base64url');
const json = (value: object): string => base64url(JSON.stringify(value));

/** The ring that every forged token is shown to: two keys of one algorithm, and both RSA algorithms. */
const ring = async () => {
  const keys = {
    active: await keyOf('ES256', 'active'),
    second: await keyOf('ES256', 'second'),
    rs: await keyOf('RS256'),
    ps: await keyOf('PS256'),
  };
  const tokens = await tokensOf(keys.active, keys.second, publicPart(keys.rs), publicPart(keys.ps));
  return { ...keys, tokens };
};
type Ring = Awaited<ReturnType<typeof ring>>;

/** The law: what is not a genuine token of ours has no claims, and no exception tells why. */
const assertRefused = async ({ tokens }: Pick<Ring, 'tokens'>, token: string): Promise<void> => {
  expect(await tokens.verify(token)).toBeUndefined();
};

test('unchanged tokens of the test forge are genuine, with each key and any further header members', async () => {
  const { tokens, active, second, rs, ps } = await ring();
  const stranger = publicPart(await keyOf('ES256', 'stranger'));
  for (const key of [active, second, rs, ps]) expect(await tokens.verify(await forge(key))).toBeDefined();
  for (const header of [{ typ: 'application/at+jwt' }, { jwk: stranger }, { jku: 'https://evil.example/jwks' }]) {
    expect(await tokens.verify(await forge(active, { header }))).toMatchObject({ clientId: 'client' });
  }
  expect(
    await tokens.verify(await forge(active, { payload: { ...genuinePayload(), aud: ['x', audience] } })),
  ).toBeDefined();
});

describe('a signature that proves nothing', () => {
  test.each(['none', 'None', 'NONE', ''])('alg "%s"', async (alg) => {
    const shown = await ring();
    const unsigned = `${json({ alg, typ: 'at+jwt', kid: shown.active.kid })}.${json(genuinePayload())}`;
    await assertRefused(shown, `${unsigned}.`);
    await assertRefused(shown, `${unsigned}.${base64url(randomBytes(64))}`);
    await assertRefused(shown, unsigned);
  });

  test.each(['HS256', 'HS384', 'HS512'])('%s keyed with the public key, in any of its forms', async (alg) => {
    const shown = await ring();
    for (const key of [shown.active, shown.rs]) {
      const jwk = publicPart(key);
      const loaded = createPublicKey({ key: { ...jwk }, format: 'jwk' });
      const forms = [
        loaded.export({ type: 'spki', format: 'pem' }),
        loaded.export({ type: 'spki', format: 'der' }),
        JSON.stringify(jwk),
        JSON.stringify((await shown.tokens.jwks?.())?.keys[0]),
      ];
      for (const form of forms) {
        const token = await new SignJWT(genuinePayload())
          .setProtectedHeader({ alg, typ: 'at+jwt', kid: key.kid })
          .sign(Buffer.from(form));
        await assertRefused(shown, token);
      }
    }
  });

  test('a foreign key in the header, or under a kid of ours', async () => {
    const shown = await ring();
    const stranger = await keyOf('ES256', 'stranger');
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network here'));
    for (const header of [
      {},
      { kid: shown.active.kid },
      { jwk: publicPart(stranger) },
      { kid: shown.active.kid, jwk: publicPart(stranger) },
      { kid: shown.active.kid, jku: 'https://evil.example/jwks.json' },
      { kid: shown.active.kid, x5u: 'https://evil.example/chain.pem' },
      { kid: shown.active.kid, x5c: [base64url('a certificate')] },
      { kid: undefined, jwk: publicPart(stranger) },
      { kid: publicPart(stranger) },
      { kid: '__proto__' },
      { kid: '' },
    ]) {
      await assertRefused(shown, await forge(stranger, { header }));
    }
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });

  test('a key of ours under another kid of ours, under none, and under an unknown one', async () => {
    const shown = await ring();
    for (const kid of [shown.second.kid, shown.rs.kid, undefined, 'unknown', 7]) {
      await assertRefused(shown, await forge(shown.active, { header: { kid } }));
    }
  });

  test('another algorithm than that of the kid, though key and ring allow it', async () => {
    const shown = await ring();
    await assertRefused(shown, await forge(shown.rs, { header: { alg: 'PS256' } }));
    await assertRefused(shown, await forge(shown.ps, { header: { alg: 'RS256' } }));
    await assertRefused(shown, await forge(shown.rs, { header: { alg: 'RS512' } }));
  });

  test('an ECDSA signature in DER form, and an empty one', async () => {
    const shown = await ring();
    const [header, payload] = (await forge(shown.active)).split('.');
    const key = createPrivateKey({ key: { ...shown.active }, format: 'jwk' });
    await assertRefused(
      shown,
      `${header}.${payload}.${base64url(sign('sha256', Buffer.from(`${header}.${payload}`), key))}`,
    );
    await assertRefused(shown, `${header}.${payload}.`);
    await assertRefused(shown, `${header}.${payload}.${base64url(new Uint8Array(64))}`);
  });

  test.each(algorithms)('%s: any bit changed in header, payload or signature', async (alg) => {
    const tokens = await tokensOf(await keyOf(alg));
    const parts = (await tokens.issue(someClaims())).split('.').map((part) => Buffer.from(part, 'base64url'));
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.nat(), fc.nat(7), async (part, at, bit) => {
        const changed = parts.map((bytes) => Buffer.from(bytes));
        const bytes = changed[part] as Buffer;
        const index = at % bytes.length;
        bytes[index] = (bytes[index] as number) ^ (1 << bit);
        await assertRefused({ tokens }, changed.map(base64url).join('.'));
      }),
      propertyRuns(200),
    );
  });

  test('parts of two genuine tokens put together', async () => {
    const shown = await ring();
    const [one, two] = [
      (await shown.tokens.issue(someClaims())).split('.'),
      (await shown.tokens.issue(someClaims({ accountId: 'other' }))).split('.'),
    ];
    await assertRefused(shown, [one[0], two[1], one[2]].join('.'));
    await assertRefused(shown, [one[0], one[1], two[2]].join('.'));
  });
});

describe('a genuine signature over something else', () => {
  const spoiled = (key: RingKey, changes: object) => forge(key, { payload: { ...genuinePayload(), ...changes } });

  test.each(['JWT', 'at+jws', 'application/jwt', 'dpop+jwt', '', undefined])('typ %j', async (typ) => {
    const shown = await ring();
    await assertRefused(shown, await forge(shown.active, { header: { typ } }));
  });

  test.each([
    ['a critical extension that nobody knows', { crit: ['exp'], exp: now + 60 }],
    ['a payload that is not encoded', { crit: ['b64'], b64: false }],
  ])('%s', async (_name, header) => {
    const shown = await ring();
    const body = `${json({ alg: 'ES256', kid: shown.active.kid, typ: 'at+jwt', ...header })}.${json(genuinePayload())}`;
    const key = createPrivateKey({ key: { ...shown.active }, format: 'jwk' });
    const signature = sign('sha256', Buffer.from(body), { key, dsaEncoding: 'ieee-p1363' });
    await assertRefused(shown, `${body}.${base64url(signature)}`);
  });

  test.each([
    { iss: 'https://evil.example' },
    { iss: `${issuer}/` },
    { iss: [issuer] },
    { aud: 'https://other.example' },
    { aud: `${audience}/` },
    { aud: [] },
    { aud: ['https://other.example'] },
    { exp: now },
    { exp: now - 1 },
    { exp: String(now + 60) },
    { exp: now + 60.5 },
    { exp: 2 ** 53 },
    { iat: now - 0.5 },
    { nbf: now + 1 },
    { iat: String(now) },
    { client_id: 7 },
    { account: null },
    { environment: ['prod'] },
    { secret_id: {} },
    { scope: ['USER'] },
    { jti: 7 },
  ])('%j', async (changes) => {
    const shown = await ring();
    await assertRefused(shown, await spoiled(shown.active, changes));
  });

  test.each(['iss', 'aud', 'exp', 'iat', 'jti', 'client_id', 'scope', 'account', 'environment', 'secret_id'])(
    'no %s',
    async (name) => {
      const shown = await ring();
      await assertRefused(shown, await spoiled(shown.active, { [name]: undefined }));
    },
  );

  test.each(['[]', '"text"', 'null', '7', '', '{', '{"a":1}{"b":2}', '\u0000'])('the payload %j', async (payload) => {
    const shown = await ring();
    const body = `${json({ alg: 'ES256', kid: shown.active.kid, typ: 'at+jwt' })}.${base64url(payload)}`;
    const key = createPrivateKey({ key: { ...shown.active }, format: 'jwk' });
    const signature = sign('sha256', Buffer.from(body), { key, dsaEncoding: 'ieee-p1363' });
    await assertRefused(shown, `${body}.${base64url(signature)}`);
  });

  test.each(['exp', 'iat'])('an infinite %s, as JSON can write it', async (name) => {
    const shown = await ring();
    const payload = JSON.stringify({ ...genuinePayload(), [name]: 0 }).replace(`"${name}":0`, `"${name}":1e999`);
    const body = `${json({ alg: 'ES256', kid: shown.active.kid, typ: 'at+jwt' })}.${base64url(payload)}`;
    const key = createPrivateKey({ key: { ...shown.active }, format: 'jwk' });
    const signature = sign('sha256', Buffer.from(body), { key, dsaEncoding: 'ieee-p1363' });
    await assertRefused(shown, `${body}.${base64url(signature)}`);
  });

  test('a token encrypted to our public key', async () => {
    const shown = await ring();
    const encrypted = await new CompactEncrypt(Buffer.from(await forge(shown.active)))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', typ: 'at+jwt', kid: shown.active.kid })
      .encrypt(await importJWK(publicPart(shown.active), 'ECDH-ES'));
    expect(encrypted.split('.')).toHaveLength(5);
    await assertRefused(shown, encrypted);
  });
});

describe('no token at all', () => {
  test.each([
    ['nothing', ''],
    ['dots', '..'],
    ['more dots', '....'],
    ['a word', 'token'],
    ['three words', 'a.b.c'],
    ['JSON', '{"payload":"","signatures":[]}'],
    ['100 kB of one letter', 'a'.repeat(100_000)],
    ['100 kB of dots', '.'.repeat(100_000)],
    ['100 kB in three parts', `${'e'.repeat(33_333)}.${'y'.repeat(33_333)}.${'J'.repeat(33_333)}`],
    ['100 kB of JSON header', `${base64url(`{"alg":"ES256","a":"${'b'.repeat(75_000)}"}`)}.e30.AA`],
    ['a deeply nested header', `${base64url('[['.repeat(10_000))}.e30.AA`],
  ])('%s', async (_name, token) => {
    await assertRefused(await ring(), token);
  });

  test('a genuine token with something before or after it', async () => {
    const shown = await ring();
    const token = await forge(shown.active);
    for (const wrapped of [` ${token}`, `${token}.`, `.${token}`, `${token}.x`, `Bearer ${token}`]) {
      await assertRefused(shown, wrapped);
    }
  });

  test('any text', async () => {
    const shown = await ring();
    const part = fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.json().map(base64url));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), (parts) => assertRefused(shown, parts.join('.'))),
      propertyRuns(300),
    );
  });
});
