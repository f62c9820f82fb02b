import { expect, test } from 'vitest';
import type { TokenClaims } from '../../../src/access/tokens/access-tokens.ts';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { fixedRandom } from '../../support/random.ts';

const claims = { jti: 'j', issuedAt: 0, expiresAt: 9 } as TokenClaims;

test('a token is opaque, and known only in this process', async () => {
  const tokens = memoryAccessTokens();
  const [one, two] = [await tokens.issue(claims), await tokens.issue({ ...claims, jti: 'k' })];
  expect(one).toMatch(/^[A-Za-z0-9]{43}$/);
  expect(one).not.toBe(two);
  expect([await tokens.verify(one), (await tokens.verify(two))?.jti, await tokens.verify(`${one}x`)]).toEqual([
    claims,
    'k',
    undefined,
  ]);
  expect(await memoryAccessTokens().verify(one)).toBeUndefined();
  expect(tokens.jwks).toBeUndefined();
});

test('expired tokens are deleted when another is issued', async () => {
  const tokens = memoryAccessTokens();
  const old = await tokens.issue(claims);
  await tokens.issue({ ...claims, issuedAt: 8, expiresAt: 17 });
  expect(await tokens.verify(old)).toEqual(claims);
  await tokens.issue({ ...claims, issuedAt: 9, expiresAt: 18 });
  expect(await tokens.verify(old)).toBeUndefined();
});

test('with a clock, a token is valid until the second before it expires', async () => {
  let now = 8_999;
  const tokens = memoryAccessTokens({ clock: { now: () => now } });
  const token = await tokens.issue(claims);
  expect(await tokens.verify(token)).toEqual(claims);
  now += 1;
  expect(await tokens.verify(token)).toBeUndefined();
});

test('golden: a token from given randomness', async () => {
  expect(await memoryAccessTokens({ random: fixedRandom(0) }).issue(claims)).toBe('0'.repeat(43));
});
