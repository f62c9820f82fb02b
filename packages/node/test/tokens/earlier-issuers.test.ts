import { describe, expect, test } from 'vitest';
import { joseAccessTokens } from '../../src/jose/index.ts';
import { jwtAccessTokens } from '../../src/tokens/jwt-access-tokens.ts';
import { generateSigningKey } from '../../src/tokens/signing-key.ts';
import { audience, issuer, read, someClaims } from './support/ring.ts';

const keys = [generateSigningKey()] as const;
const old = { issuer: 'https://old.example', audience: 'https://old.example/partners' };
const older = { issuer: 'https://older.example', audience: 'https://older.example/partners' };

describe.each([
  ['jwtAccessTokens', jwtAccessTokens],
  ['joseAccessTokens', joseAccessTokens],
] as const)('%s', (name, create) => {
  const tokensOf = async (given: object) => create({ keys: keys as never, issuer, audience, ...given });

  test('tokens of each earlier issuer and of the current one verify', async () => {
    const moved = await tokensOf({ earlier: [old, older] });
    const claims = someClaims();
    for (const names of [old, older, {}])
      expect(await moved.verify(await (await tokensOf(names)).issue(claims))).toEqual(claims);
    expect(read(await moved.issue(someClaims())).payload).toMatchObject({ iss: issuer, aud: audience });
  });

  test.each([
    ['an issuer that is not listed', older],
    ['an earlier issuer with the audience of another one', { ...old, audience: older.audience }],
    ['the current issuer with an earlier audience', { audience: old.audience }],
  ])('refused: %s', async (_, names) => {
    const token = await (await tokensOf(names)).issue(someClaims());
    expect(await (await tokensOf({ earlier: [old] })).verify(token)).toBeUndefined();
  });

  test('a wrong one is named', async () => {
    await expect(tokensOf({ earlier: [old, { issuer: 'https://older.example' }] })).rejects.toThrow(
      `${name}: the option earlier[1].audience must be a text that is not empty`,
    );
  });
});
