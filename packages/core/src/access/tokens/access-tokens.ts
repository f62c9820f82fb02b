import type { AssertionAlgorithm, PublicJwk } from '../../base/crypto/public-jwk.ts';
import type { EpochSeconds } from '../../base/runtime/time.ts';

/**
 * Claims of an access token.
 * @public
 */
export interface TokenClaims {
  readonly clientId: string;
  /** The client's own account. */
  readonly accountId: string;
  /** The environment of that account when the token was issued; compared at every request. */
  readonly environment: string;
  /**
   * The id of the secret of the login, or the thumbprint (RFC 7638) of the public key that verified it. Revoking the
   * secret, or removing the key, ends the token.
   */
  readonly secretId: string;
  /** The scope of the login. */
  readonly scope: string;
  /** Unique id of the token; revocation refers to it. */
  readonly jti: string;
  /** When it was issued, in seconds since 1970. */
  readonly issuedAt: EpochSeconds;
  /** When it expires, in seconds since 1970. */
  readonly expiresAt: EpochSeconds;
}

/**
 * Port: issues and verifies access tokens.
 * @public
 */
export interface AccessTokens {
  /** The claim `iss` of the tokens, which the option `metadata.issuer` must equal. Absent: it is not compared. */
  readonly issuer?: string;
  /** Issues a token for `Authorization: Bearer`. */
  issue(claims: TokenClaims): Promise<string>;
  /**
   * Verifies a token.
   *
   * - Returns the claims of a genuine token, and `undefined` for any other text, or once the token has expired.
   * - Takes no key, algorithm or URL from the token.
   * - Rejects only when it cannot decide.
   * - Core checks expiry again, because it caches claims; and revocation and client.
   */
  verify(token: string): Promise<TokenClaims | undefined>;
  /**
   * Verifies the signature of a JWT that a client made (RFC 7523 §2.2), for logins by `private_key_jwt`. Absent: there
   * are none.
   *
   * - Returns whether `key` verifies it by `alg`, one of `ES256`, `ES384`, `Ed25519`, `EdDSA`, `RS256` and `PS256`.
   * - Takes no key, algorithm or URL from the token. Core has compared `alg` with the type of the key.
   * - Rejects only when it cannot decide.
   * - Core checks the header and the claims.
   */
  verifyAssertion?(assertion: string, key: PublicJwk, alg: AssertionAlgorithm): Promise<boolean>;
  /** The public keys (RFC 7517), served at `<basePath>/jwks.json`. Absent with symmetric keys. */
  jwks?(): Promise<{
    /** Public keys as JWKs (RFC 7517). */
    readonly keys: readonly object[];
  }>;
}
