import type { AccessTokens, TokenClaims } from '../../access/tokens/access-tokens.ts';
import { toBase62 } from '../../base/runtime/base62.ts';
import type { Random } from '../../base/runtime/random.ts';
import { systemRandom } from '../../base/runtime/system.ts';

/**
 * Opaque access tokens in the memory of this process. For tests.
 * @public
 */
export const memoryAccessTokens = ({
  random = systemRandom,
}: {
  /** Source of random bytes. @defaultValue the system's */
  readonly random?: Random;
} = {}): AccessTokens => {
  const issued = new Map<string, TokenClaims>();
  return {
    issue: async (claims) => {
      const token = toBase62(random.bytes(32), 43);
      // Oldest first: delete expired tokens.
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
