import { type AccessTokens, assertOptionNames, type TokenIssuer } from '@partnerkit/core/adapter';
import { errors, jwtVerify } from 'jose';
import { verifyAssertion } from '../tokens/assertion.ts';
import { acceptsIssuers, claimsOf, payloadOf } from '../tokens/claims.ts';
import { splitCompact } from '../tokens/compact.ts';
import type { Signer } from '../tokens/signer.ts';
import { type LoadedKey, loadRing, type RingKey } from './key-ring.ts';

/**
 * Options of {@link joseAccessTokens}.
 * @public
 */
export interface JoseAccessTokensOptions {
  /**
   * The key ring. The first key signs; every key verifies. To rotate: add the new key at the end, deploy it to every
   * process, then move it to the front. Remove the old key when its last token has expired.
   */
  readonly keys: readonly [RingKey, ...RingKey[]];
  /** The claim `iss`: the URL of the platform. */
  readonly issuer: string;
  /** The claim `aud`: the API that the tokens are for. */
  readonly audience: string;
  /** Earlier issuers, whose tokens still verify. List one until its last token has expired. @defaultValue none */
  readonly earlier?: readonly TokenIssuer[];
}

const optionNames: Readonly<Record<keyof JoseAccessTokensOptions, true>> = {
  keys: true,
  issuer: true,
  audience: true,
  earlier: true,
};

/** Whether an error is one of jose, whose codes all begin alike. */
const isOfJose = (cause: unknown): boolean => /^ERR_J(OSE|W)/.test(String(Object(cause).code));

/**
 * Access tokens as signed JWTs (RFC 9068). Only the keys of the ring verify them: no key, algorithm or URL is taken
 * from the header of a token.
 * @example
 * const tokens = await joseAccessTokens({
 *   keys: [await generateRingKey()],
 *   issuer: 'https://api.platform.example',
 *   audience: 'https://api.platform.example/api/v1/partner',
 * });
 * @throws TypeError that names the wrong option or key and its remedy.
 * @public
 */
export const joseAccessTokens = async (options: JoseAccessTokensOptions): Promise<AccessTokens> => {
  assertOptionNames('joseAccessTokens', options, optionNames);
  const { keys, issuer, audience } = options;
  const isAccepted = acceptsIssuers('joseAccessTokens', options);
  const ring = await loadRing(keys);
  const { sign } = [...ring.values()][0] as LoadedKey & { readonly sign: Signer };
  const allowed = [...new Set([...ring.values()].map((key) => key.alg))];
  const published = { keys: [...ring.values()].map((key) => key.publicJwk) };

  return {
    issuer,
    issue: (claims) => sign(payloadOf(claims, { issuer, audience })),
    verify: async (token) => {
      if (!splitCompact(token)) return undefined;
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid, alg }) => {
            const key = ring.get(kid ?? '');
            if (!key || key.alg !== alg) throw new errors.JWKSNoMatchingKey();
            return key.verifyKey;
          },
          { algorithms: allowed, typ: 'at+jwt', requiredClaims: ['exp', 'iat'] },
        );
        return isAccepted(payload) ? claimsOf(payload) : undefined;
      } catch (cause) {
        if (isOfJose(cause)) return undefined;
        throw cause;
      }
    },
    jwks: async () => published,
    verifyAssertion,
  };
};
