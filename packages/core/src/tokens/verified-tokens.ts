import { createCache } from '../runtime/cache.ts';
import type { AccessTokens, TokenClaims } from './access-tokens.ts';

/** The syntax of a bearer token (RFC 6750 §2.1). */
const form = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * Caches verified tokens: a signature is checked once. The caller checks expiry, revocation and client at every
 * request. A text without the syntax of a token is not verified.
 * @internal
 */
export const cacheVerifiedTokens = (
  tokens: AccessTokens,
  size: number,
): ((token: string) => TokenClaims | Promise<TokenClaims | undefined>) => {
  // Keyed by the last 32 characters, part of the signature: hashing a whole token would cost more than the rest of the
  // call.
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
