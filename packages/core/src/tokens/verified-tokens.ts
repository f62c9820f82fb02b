import { createCache } from '../runtime/cache.ts';
import type { AccessTokens, TokenClaims } from './access-tokens.ts';

/**
 * Remembers tokens that were found genuine, so that a caller pays for its signature once. Expiry, revocation and client are
 * checked at every request, outside.
 * @internal
 */
export const rememberVerified = (
  tokens: AccessTokens,
  size: number,
): ((token: string) => Promise<TokenClaims | undefined>) => {
  const verified = createCache<TokenClaims>(size);
  return async (token) => {
    const known = verified.get(token);
    if (known) return known;
    const claims = await tokens.verify(token);
    if (claims) verified.set(token, claims);
    return claims;
  };
};
