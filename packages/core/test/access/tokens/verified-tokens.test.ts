import { expect, test } from 'vitest';
import type { TokenClaims } from '../../../src/access/tokens/access-tokens.ts';
import { cacheVerifiedTokens } from '../../../src/access/tokens/verified-tokens.ts';

const claims = { jti: 'j' } as TokenClaims;

test('a genuine token is verified once; any other text is verified each time', async () => {
  const asked: string[] = [];
  const verify = cacheVerifiedTokens(
    {
      issue: () => expect.unreachable(),
      verify: async (token) => {
        asked.push(token);
        return token === 'good' ? claims : undefined;
      },
    },
    10,
  );
  expect(await verify('good')).toBe(claims);
  expect(await verify('good')).toBe(claims);
  expect(await verify('bad')).toBeUndefined();
  expect(await verify('bad')).toBeUndefined();
  expect(asked).toEqual(['good', 'bad', 'bad']);
});

test('a text with the end of a genuine token is not genuine', async () => {
  const end = 'e'.repeat(500);
  const genuine = new Map(['a', 'b'].map((start) => [start + end, { jti: start } as TokenClaims]));
  const verify = cacheVerifiedTokens(
    { issue: () => expect.unreachable(), verify: async (token) => genuine.get(token) },
    10,
  );
  for (const [token, found] of [...genuine, ...genuine]) {
    expect(await verify(token)).toBe(found);
    expect(await verify(`c${end}`)).toBeUndefined();
    expect(await verify(end)).toBeUndefined();
  }
});

test('evicts tokens beyond its size', async () => {
  let asked = 0;
  const verify = cacheVerifiedTokens(
    {
      issue: () => expect.unreachable(),
      verify: async () => {
        asked++;
        return claims;
      },
    },
    10,
  );
  for (let token = 0; token < 1_000; token++) await verify(String(token));
  for (let token = 990; token < 1_000; token++) await verify(String(token));
  expect(asked).toBe(1_000);
  await verify('0');
  expect(asked).toBe(1_001);
});

test('a failure is passed on and not cached', async () => {
  let down = true;
  const verify = cacheVerifiedTokens(
    { issue: () => expect.unreachable(), verify: async () => (down ? Promise.reject(new Error('down')) : claims) },
    10,
  );
  await expect(verify('good')).rejects.toThrow('down');
  down = false;
  expect(await verify('good')).toBe(claims);
});

test('a text without the form of a token (RFC 6750 §2.1) is shown to nobody', async () => {
  const verify = cacheVerifiedTokens(
    { issue: () => expect.unreachable(), verify: async () => expect.unreachable() },
    10,
    { verify: async () => expect.unreachable() },
  );
  for (const text of ['', ' ', 'a b', 'a,b', 'a=b', '=', 'é', 'a\n', '"a"', 'a\u0000'])
    expect(await verify(text)).toBeUndefined();
});

test('a token of another system has the scope, an id of its own, and no field that is no claim', async () => {
  const given = { clientId: 'c', issuedAt: 1, expiresAt: 2 };
  const more = { ...given, accountId: 'x', secretId: 'y', scope: 'ADMIN' };
  const legacy = new Map<string, typeof given & { environment?: 'prod'; jti?: string }>([
    ['plain', given],
    ['full', { ...given, environment: 'prod', jti: 'j' }],
    ['more', more],
  ]);
  const asked: string[] = [];
  const verify = cacheVerifiedTokens({ issue: () => expect.unreachable(), verify: async () => undefined }, 10, {
    verify: async (token) => {
      asked.push(token);
      return legacy.get(token);
    },
  });
  const plain = await verify('plain');
  expect(plain).toStrictEqual({ ...given, scope: 'USER', jti: expect.stringMatching(/^legacy_[0-9a-f]{64}$/) });
  expect(await verify('full')).toEqual({ ...given, scope: 'USER', environment: 'prod', jti: 'j' });
  expect(Object.keys((await verify('more')) ?? {}).toSorted()).toEqual(Object.keys(plain ?? {}).toSorted());
  expect(await verify('unknown')).toBeUndefined();
  // The other system may have revoked it.
  await verify('plain');
  expect(asked).toEqual(['plain', 'full', 'more', 'unknown', 'plain']);
});
