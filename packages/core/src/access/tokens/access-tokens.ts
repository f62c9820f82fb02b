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
  /** The secret of the login; revoking the secret ends the token. */
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
  /** The public keys (RFC 7517), served at `<basePath>/jwks.json`. Absent with symmetric keys. */
  jwks?(): Promise<{
    /** Public keys as JWKs (RFC 7517). */
    readonly keys: readonly object[];
  }>;
}
