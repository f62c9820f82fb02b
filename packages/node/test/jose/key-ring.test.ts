import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../../tools/tests/effort.ts';
import { generateRingKey, joseAccessTokens, type RingKey } from '../../src/jose/index.ts';
import { audience, issuer } from '../tokens/support/ring.ts';
import { algorithms, keyOf, publicPart, tokensOf } from './support/ring.ts';

const published = async (...keys: readonly [RingKey, ...RingKey[]]) => {
  const jwks = await (await tokensOf(...keys)).jwks?.();
  return (jwks?.keys ?? []) as readonly Record<string, unknown>[];
};

describe('a generated key', () => {
  test('is ES256 by default', async () => {
    expect(await generateRingKey()).toMatchObject({ alg: 'ES256', kty: 'EC', crv: 'P-256' });
  });

  test.each(algorithms)('%s: private, named by the thumbprint of its public half, and plain JSON', async (alg) => {
    const key = await keyOf(alg);
    expect(key.alg).toBe(alg);
    expect(key.d).toEqual(expect.any(String));
    expect(key.kid).toBe(await calculateJwkThumbprint(publicPart(key)));
    expect(JSON.parse(JSON.stringify(key))).toEqual(key);
  });

  test('differs each time', async () => {
    expect((await generateRingKey()).kid).not.toBe((await generateRingKey()).kid);
  });
});

describe('the published keys', () => {
  test('law: only public members of keys are published, for any keys with any further members', async () => {
    const keys = await Promise.all(algorithms.map((alg) => keyOf(alg)));
    const allowed = new Set(['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg', 'use']);
    const extras = fc.dictionary(fc.constantFrom('k', 'x5c', 'comment', 'password'), fc.constant('sesame'));
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(keys, { minLength: 1 }),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        extras,
        async (chosen, onlyPublic, extra) => {
          const [first, ...rest] = chosen as [RingKey, ...RingKey[]];
          const others = rest.map((key, index) => (onlyPublic[index] ? publicPart(key) : { ...key, ...extra }));
          const shown = await published({ ...first, ...extra }, ...others);
          expect(shown).toHaveLength(chosen.length);
          for (const jwk of shown) expect(Object.keys(jwk).filter((member) => !allowed.has(member))).toEqual([]);
          const text = JSON.stringify(shown);
          expect(text).not.toContain('sesame');
          for (const { d, p, q, dp, dq, qi } of chosen) {
            for (const secret of [d, p, q, dp, dq, qi]) if (secret) expect(text).not.toContain(secret);
          }
        },
      ),
      propertyRuns(60),
    );
  });

  test('come in the order of the ring, the active one first, each with what a verifier needs', async () => {
    const keys = (await Promise.all(algorithms.map((alg) => keyOf(alg)))) as [RingKey, ...RingKey[]];
    const shown = await published(...keys);
    expect(shown.map(({ kid, alg, use }) => ({ kid, alg, use }))).toEqual(
      keys.map(({ kid, alg }) => ({ kid, alg, use: 'sig' })),
    );
    for (const [index, jwk] of shown.entries())
      expect(jwk).toEqual({ ...publicPart(keys[index] as RingKey), use: 'sig' });
  });
});

describe('a ring that cannot work is refused when it is made, by a TypeError that names the key', () => {
  const refusal = async (keys: readonly unknown[]): Promise<unknown> =>
    joseAccessTokens({ keys: keys as [RingKey], issuer, audience }).then(
      () => undefined,
      (cause: unknown) => cause,
    );
  const assertRefusedNaming = async (keys: readonly unknown[], name: RegExp): Promise<void> => {
    const cause = await refusal(keys);
    expect(cause).toBeInstanceOf(TypeError);
    expect((cause as TypeError).message).toMatch(name);
  };
  test('no keys', async () => {
    await assertRefusedNaming([], /first key/);
  });

  test.each([
    [[undefined], /^keys\[0\] is no JWK: make one with generateRingKey\(\)/],
    [[{}], /^keys\[0\] is no JWK: make one with generateRingKey\(\)/],
    [['{"kty":"EC","d":"SECRET"}'], /^keys\[0\] is text: make one .* hand over \[JSON\.parse\(SIGNING_KEY\)\]\.$/],
  ])('what is no key says how to make one (%#)', async (keys, message) => {
    await assertRefusedNaming(keys, message);
  });

  test('one key in place of the list', async () => {
    await assertRefusedNaming((await keyOf('ES256')) as never, /a list of JWKs is needed/);
  });

  test('the first key is public', async () => {
    await assertRefusedNaming([publicPart(await keyOf('ES256'))], /first key.*private/);
    await assertRefusedNaming([publicPart(await keyOf('ES256')), await keyOf('ES384')], /first key.*private/);
  });

  test.each(['HS256', 'ES256', 'RS256', 'EdDSA'])('a symmetric key that calls itself %s', async (alg) => {
    const symmetric = { kty: 'oct', k: 'c2VjcmV0', kid: 'the-wrong-one', alg };
    await assertRefusedNaming([await keyOf('ES256'), symmetric], /the-wrong-one/);
    await assertRefusedNaming([symmetric], /the-wrong-one/);
  });

  test('a kid used twice', async () => {
    const [one, two] = [await keyOf('ES256'), await keyOf('ES384')];
    await assertRefusedNaming([one, one], new RegExp(one.kid));
    await assertRefusedNaming([one, { ...two, kid: one.kid }], new RegExp(one.kid));
  });

  test.each([undefined, '', 7])('kid %j', async (kid) => {
    await assertRefusedNaming([await keyOf('ES256'), { ...(await keyOf('ES384')), kid }], /kid/);
  });

  test.each([undefined, '', 'none', 'HS256', 'RS512', 'es256'])('alg %j', async (alg) => {
    const key = { ...(await keyOf('ES384')), kid: 'the-wrong-one', alg };
    await assertRefusedNaming([await keyOf('ES256'), key], /the-wrong-one.*alg/);
  });

  test.each([
    ['a curve that is not the algorithm’s', async () => ({ ...(await keyOf('ES384')), alg: 'ES256' })],
    ['an EC key for RS256', async () => ({ ...(await keyOf('ES256', 'b')), alg: 'RS256' })],
    ['an RSA key for EdDSA', async () => ({ ...(await keyOf('RS256')), alg: 'EdDSA' })],
    ['a member that is missing', async () => ({ ...(await keyOf('ES256', 'b')), y: undefined })],
    ['a member that is no number', async () => ({ ...(await keyOf('RS256')), n: '' })],
    ['a point that is not on the curve', async () => ({ ...(await keyOf('ES256', 'b')), x: 'AA' })],
    ['no kty', async () => ({ ...(await keyOf('ES256', 'b')), kty: undefined })],
  ])('%s', async (_name, made) => {
    await assertRefusedNaming([await keyOf('ES256'), { ...(await made()), kid: 'the-wrong-one' }], /the-wrong-one/);
  });

  test('an RSA key too short to be used: at start, not at the first login', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    const short: RingKey = { ...(privateKey.export({ format: 'jwk' }) as JWK), kid: 'the-wrong-one', alg: 'RS256' };
    await assertRefusedNaming([short], /the-wrong-one/);
    await assertRefusedNaming([await keyOf('ES256'), publicPart(short)], /the-wrong-one/);
  });

  test('a private half that belongs to another public half', async () => {
    const [one, two] = [await keyOf('ES256'), await keyOf('ES256', 'b')];
    await assertRefusedNaming([{ ...one, d: two.d, kid: 'the-wrong-one' }], /the-wrong-one/);
  });
});

test('an unknown option is named, with the closest known one', async () => {
  const options = { keys: [await keyOf('ES256')], issuer, audience, isuer: issuer } as never;
  await expect(joseAccessTokens(options)).rejects.toThrow(
    new TypeError("joseAccessTokens: there is no option 'isuer'; did you mean 'issuer'?"),
  );
  await expect(joseAccessTokens(undefined as never)).rejects.toThrow('joseAccessTokens: options are an object.');
});

describe('issuer and audience', () => {
  test.each(['issuer', 'audience'])('%s: a text that is not empty', async (name) => {
    for (const value of ['', undefined, 7]) {
      const options = { keys: [await keyOf('ES256')], issuer, audience, [name]: value } as never;
      await expect(joseAccessTokens(options)).rejects.toThrow(
        new TypeError(`joseAccessTokens: the option ${name} must be a text that is not empty, such as your API's URL.`),
      );
    }
  });
});
