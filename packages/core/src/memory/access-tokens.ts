import { toBase62 } from '../runtime/base62.ts';
import type { Random } from '../runtime/random.ts';
import { systemRandom } from '../runtime/system.ts';
import type { AccessTokens, TokenClaims } from '../tokens/access-tokens.ts';

/**
 * Opaque tokens that only this process knows: for tests.
 * @public
 */
export const memoryAccessTokens = ({ random = systemRandom }: { readonly random?: Random } = {}): AccessTokens => {
  const issued = new Map<string, TokenClaims>();
  return {
    issue: async (claims) => {
      const token = toBase62(random.bytes(32), 43);
      // The oldest come first: those that have expired go.
      for (const [known, { expiresAt }] of issued) {
        if (expiresAt > claims.issuedAt) break;
        issued.delete(known);
      }
      issued.set(token, claims);
      return token;
    },
    verify: async (token) => issued.get(token),
  };
};
