import { createCache } from '../runtime/cache.ts';
import type { AccessTokens, TokenClaims } from './access-tokens.ts';

/** Of any token (RFC 6750 §2.1). */
const form = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * Remembers tokens that were found genuine, so that a caller pays for its signature once. Expiry, revocation and client are
 * checked at every request, outside. What has not the form of a token is not asked about.
 * @internal
 */
export const rememberVerified = (
  tokens: AccessTokens,
  size: number,
): ((token: string) => TokenClaims | Promise<TokenClaims | undefined>) => {
  // Found by their ends, where most of a signature is: to hash a whole token takes longer than all else that is done with it.
  const verified = createCache<{ readonly token: string; readonly claims: TokenClaims }>(size);
  const endOf = (token: string): string => token.slice(-32);
  const verify = async (token: string): Promise<TokenClaims | undefined> => {
    const claims = form.test(token) ? await tokens.verify(token) : undefined;
    if (claims) verified.set(endOf(token), { token, claims });
    return claims;
  };
  return (token) => {
    const known = verified.get(endOf(token));
    return known?.token === token ? known.claims : verify(token);
  };
};
