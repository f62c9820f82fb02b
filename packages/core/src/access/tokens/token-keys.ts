import type { P256Jwk } from '../../base/crypto/p256.ts';

/**
 * Issuer and audience of access tokens.
 * @public
 */
export interface TokenIssuer {
  /** The claim `iss`. */
  readonly issuer: string;
  /** The claim `aud`. */
  readonly audience: string;
}

/**
 * What `secret` and `origin` give access tokens. A function in `tokens` makes an adapter of it.
 * @public
 */
export interface TokenKeys extends TokenIssuer {
  /** The key ring: the first key signs, every key verifies. */
  readonly keys: readonly [P256Jwk, ...P256Jwk[]];
  /** Earlier issuers, whose tokens still verify. */
  readonly earlier: readonly TokenIssuer[];
}
