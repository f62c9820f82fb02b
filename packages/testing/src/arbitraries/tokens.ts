import type { LimitRule, TokenClaims } from '@partnerkit/core';
import fc from 'fast-check';
import { secretId } from './client-secrets.ts';
import { idArbitrary, identifierArbitrary, moment } from './identifiers.ts';
import { recordOf } from './record-of.ts';

/**
 * What access tokens say. They expire after they were issued, some within a second and some in 30 days.
 * @example
 * const property = fc.asyncProperty(tokenClaimsArbitrary(), async (claims) => {
 *   const tokens = memoryAccessTokens();
 *   deepStrictEqual(await tokens.verify(await tokens.issue(claims)), claims);
 * });
 * await fc.assert(property);
 * @public
 */
export const tokenClaimsArbitrary = (change: Partial<TokenClaims> = {}): fc.Arbitrary<TokenClaims> =>
  fc
    .tuple(
      recordOf<Omit<TokenClaims, 'issuedAt' | 'expiresAt'>>(
        {
          clientId: idArbitrary(),
          accountId: identifierArbitrary(),
          environment: fc.constantFrom('prod', 'dev'),
          secretId: secretId(),
          scope: fc.constant('USER'),
          jti: idArbitrary(),
        },
        {},
      ),
      moment(),
      fc.integer({ min: 1, max: 30 * 24 * 3_600 }),
    )
    .map(([claims, now, lifetime]) => {
      const issuedAt = Math.floor(now / 1_000);
      return { ...claims, issuedAt, expiresAt: issuedAt + lifetime, ...change };
    });

/**
 * Limits that core takes for logins.
 * @example
 * fc.assert(fc.property(limitRuleArbitrary(), ({ points, window }) => points >= 1 && window >= 1));
 * @public
 */
export const limitRuleArbitrary = (change: Partial<LimitRule> = {}): fc.Arbitrary<LimitRule> =>
  recordOf<LimitRule>(
    { points: fc.integer({ min: 1, max: 1_000 }), window: fc.integer({ min: 1, max: 24 * 3_600_000 }) },
    change,
  );
