import { requiredScope } from '../../base/accounts/rights.ts';
import { sha256 } from '../../base/crypto/sha256.ts';
import { createCache } from '../../base/runtime/cache.ts';
import type { AccessTokens, TokenClaims } from './access-tokens.ts';
import type { LegacyTokenClaims, LegacyTokens } from './legacy.ts';

/** The claims of a token. Of another system, `secretId` and perhaps `environment` are absent. */
export type VerifiedClaims = Omit<TokenClaims, 'secretId' | 'accountId' | 'environment'> &
  Partial<Pick<TokenClaims, 'secretId' | 'accountId' | 'environment'>>;

const legacyClaims = async (legacy: LegacyTokens, token: string): Promise<VerifiedClaims | undefined> => {
  const claims = await legacy.verify(token);
  return claims && { scope: requiredScope, jti: `legacy_${sha256(token)}`, ...pickClaims(claims) };
};

/** What a host adds beside the claims is no claim. */
const pickClaims = ({ clientId, issuedAt, expiresAt, environment, jti }: LegacyTokenClaims) => ({
  ...{ clientId, issuedAt, expiresAt },
  ...(environment === undefined ? {} : { environment }),
  ...(jti === undefined ? {} : { jti }),
});

/** The syntax of a bearer token (RFC 6750 §2.1). */
const form = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * Caches verified tokens: a signature is checked once. The caller checks expiry, revocation and client at every
 * request. A text without the syntax of a token is not verified; tokens of another system are asked each time.
 */
export const cacheVerifiedTokens = (
  tokens: AccessTokens,
  size: number,
  legacy?: LegacyTokens,
): ((token: string) => TokenClaims | Promise<VerifiedClaims | undefined>) => {
  // Keyed by the last 32 characters, part of the signature: hashing a whole token would cost more than the rest of the
  // call.
  const verified = createCache<{ readonly token: string; readonly claims: TokenClaims }>(size);
  const endOf = (token: string): string => token.slice(-32);
  const verify = async (token: string): Promise<VerifiedClaims | undefined> => {
    if (!form.test(token)) return undefined;
    const claims = await tokens.verify(token);
    if (claims) verified.set(endOf(token), { token, claims });
    // The other system may revoke its tokens: they are not cached.
    return claims ?? (legacy && legacyClaims(legacy, token));
  };
  return (token) => {
    const known = verified.get(endOf(token));
    return known?.token === token ? known.claims : verify(token);
  };
};
