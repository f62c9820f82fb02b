import { expect, test } from 'vitest';
import type { TokenClaims } from '../../src/tokens/access-tokens.ts';
import { cacheVerifiedTokens } from '../../src/tokens/verified-tokens.ts';

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
