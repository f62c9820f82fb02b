import type { AccessTokens, TokenClaims } from '../../access/tokens/access-tokens.ts';
import { toBase62 } from '../../base/runtime/base62.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import type { Random } from '../../base/runtime/random.ts';
import { systemRandom } from '../../base/runtime/system.ts';
import { toSeconds } from '../../base/runtime/time.ts';

/**
 * Opaque access tokens in the memory of this process. For tests.
 * @example
 * const kit = createPartnerkit({ ...options, tokens: memoryAccessTokens() });
 * @public
 */
export const memoryAccessTokens = ({
  clock,
  random = systemRandom,
}: {
  /** Decides when a token has expired. @defaultValue none: core alone checks expiry */
  readonly clock?: Pick<Clock, 'now'>;
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
    verify: async (token) => {
      const claims = issued.get(token);
      return claims && clock && claims.expiresAt <= toSeconds(clock.now()) ? undefined : claims;
    },
  };
};
