import { expect, test } from 'vitest';
import type { TokenClaims } from '../../src/tokens/access-tokens.ts';
import { rememberVerified } from '../../src/tokens/verified-tokens.ts';

const claims = { jti: 'j' } as TokenClaims;

test('a genuine token is verified once; what is not genuine is asked again', async () => {
  const asked: string[] = [];
  const verify = rememberVerified(
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

test('remembers so many, and then forgets', async () => {
  let asked = 0;
  const verify = rememberVerified(
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

test('a failure is passed on and not remembered', async () => {
  let down = true;
  const verify = rememberVerified(
    { issue: () => expect.unreachable(), verify: async () => (down ? Promise.reject(new Error('down')) : claims) },
    10,
  );
  await expect(verify('good')).rejects.toThrow('down');
  down = false;
  expect(await verify('good')).toBe(claims);
});
