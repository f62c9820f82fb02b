import { memoryAccessTokens } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitRuleArbitrary, tokenClaimsArbitrary } from '../../src/arbitraries/tokens.ts';
import { scriptedHost } from '../../src/scripted/host.ts';
import { many, runs } from './support.ts';

test('claims survive a token', async () => {
  const property = fc.asyncProperty(tokenClaimsArbitrary(), async (claims) => {
    const tokens = memoryAccessTokens();
    expect(await tokens.verify(await tokens.issue(claims))).toStrictEqual(claims);
  });
  await fc.assert(property, runs);
});

test('a token expires after it was issued, in whole seconds, within 30 days', () => {
  for (const { issuedAt, expiresAt, scope } of many(tokenClaimsArbitrary({ scope: 'USER' }))) {
    expect(Number.isSafeInteger(issuedAt) && Number.isSafeInteger(expiresAt)).toBe(true);
    expect(expiresAt - issuedAt >= 1 && expiresAt - issuedAt <= 30 * 86_400).toBe(true);
    expect(scope).toBe('USER');
  }
});

test('core takes every limit for logins', async () => {
  const property = fc.asyncProperty(limitRuleArbitrary(), limitRuleArbitrary({ points: 3 }), async (one, other) => {
    expect(other.points).toBe(3);
    await scriptedHost({ loginLimits: { perAddress: one, perClientAndAddress: other, signalPerClient: one } });
  });
  await fc.assert(property, runs);
});
