import { calculateJwkThumbprint } from 'jose';
import { describe, expect, test } from 'vitest';
import { jwtAccessTokens } from '../../src/tokens/jwt-access-tokens.ts';
import { generateSigningKey, type SigningKey } from '../../src/tokens/signing-key.ts';
import { audience, issuer, publicPart, tokensOf } from './support/ring.ts';

const [key, other] = [generateSigningKey(), generateSigningKey()];

describe('a generated key', () => {
  test('is private, named by the thumbprint of its public half (RFC 7638), and plain JSON', async () => {
    expect(key).toMatchObject({ alg: 'ES256', kty: 'EC', crv: 'P-256', d: expect.any(String) });
    expect(key.kid).toBe(await calculateJwkThumbprint({ ...publicPart(key) }));
    expect(JSON.parse(JSON.stringify(key))).toEqual(key);
  });

  test('differs each time', () => {
    expect(key.kid).not.toBe(other.kid);
  });
});

test('only public members are published, whatever else a key contains', async () => {
  const extended = { ...key, k: 'sesame', comment: 'sesame', oth: ['sesame'], use: 'sesame' };
  const published = await tokensOf(extended as SigningKey).jwks?.();
  const { d: _d, ...rest } = key;
  expect(published).toEqual({ keys: [{ ...rest, use: 'sig' }] });
  expect(JSON.stringify(published)).not.toContain(key.d);
});

describe('a ring that cannot work throws a TypeError that names the key', () => {
  const failureOf = (keys: unknown): unknown => {
    try {
      jwtAccessTokens({ keys: keys as [SigningKey], issuer, audience });
      return undefined;
    } catch (cause) {
      return cause;
    }
  };
  const assertThrows = (keys: unknown, message: RegExp): void => {
    const cause = failureOf(keys);
    expect(cause).toBeInstanceOf(TypeError);
    expect((cause as TypeError).message).toMatch(message);
    if (key.d) expect((cause as TypeError).message).not.toContain(key.d);
  };

  test.each([
    [[], /^keys: a list of JWKs is needed, and its first key signs: make one with generateSigningKey\(\)/],
    [undefined, /^keys: a list of JWKs is needed/],
    [key, /^keys: a list of JWKs is needed/],
    [[undefined], /^keys\[0\] is no JWK: make one with generateSigningKey\(\)/],
    [[{}], /^keys\[0\] is no JWK/],
    [[JSON.stringify(key)], /^keys\[0\] is text: .* hand over \[JSON\.parse\(SIGNING_KEY\)\]\.$/],
    [[publicPart(key)], /^keys: the first key signs, so it must be private\.$/],
    [[key, key], new RegExp(`^keys: the kid "${key.kid}" is used twice\\.$`)],
    [[key, { ...other, kid: key.kid }], /is used twice/],
    [[{ ...key, kid: undefined }], /^keys: each key needs a kid\.$/],
    [[{ ...key, kid: '' }], /^keys: each key needs a kid\.$/],
    [[{ ...key, kid: 7 }], /^keys: each key needs a kid\.$/],
  ])('%#', (keys, message) => {
    assertThrows(keys, message);
  });

  test.each([
    ['another algorithm', { alg: 'ES384' }, /joseAccessTokens/],
    ['no algorithm', { alg: undefined }, /joseAccessTokens/],
    ['another curve', { crv: 'P-384' }, /joseAccessTokens/],
    ['a symmetric key', { kty: 'oct', k: 'c2VjcmV0' }, /joseAccessTokens/],
    ['a missing coordinate', { y: undefined }, /is no key for ES256\.$/],
    ['a point that is not on the curve', { x: 'AA' }, /is no key for ES256\.$/],
    ['a private half of another key', { d: other.d }, /that do not belong together\.$|is no key for ES256\.$/],
  ])('%s', (_, change, message) => {
    assertThrows([generateSigningKey(), { ...key, kid: 'the-wrong-one', ...change }], /^keys: "the-wrong-one" /);
    assertThrows([{ ...key, kid: 'the-wrong-one', ...change }], message);
  });
});

test('an unknown option is named, with the closest known one', () => {
  const options = { keys: [key], issuer, audience, isuer: issuer } as never;
  expect(() => jwtAccessTokens(options)).toThrow(
    new TypeError("jwtAccessTokens: there is no option 'isuer'; did you mean 'issuer'?"),
  );
});

test.each(['issuer', 'audience'])('%s is a text that is not empty', (name) => {
  for (const value of ['', undefined, 7])
    expect(() => jwtAccessTokens({ keys: [key], issuer, audience, [name]: value } as never)).toThrow(
      new TypeError(`jwtAccessTokens: the option ${name} must be a text that is not empty, such as your API's URL.`),
    );
});
