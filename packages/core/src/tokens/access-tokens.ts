import type { EpochSeconds } from '../runtime/time.ts';

/**
 * What an access token says.
 * @public
 */
export interface TokenClaims {
  readonly clientId: string;
  /** The client's own account. */
  readonly accountId: string;
  /** The environment of that account when the token was issued; compared at every request. */
  readonly environment: string;
  /** The secret that it was obtained with: revoking that ends the token. */
  readonly secretId: string;
  readonly scope: string;
  readonly jti: string;
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/**
 * Port: makes and reads access tokens.
 * @public
 */
export interface AccessTokens {
  /** The token, as it goes into `Authorization: Bearer`. */
  issue(claims: TokenClaims): Promise<string>;
  /**
   * The claims of a genuine token of ours, `undefined` for anything else. Rejects only when it cannot know. Core checks
   * expiry, revocation and client again itself.
   */
  verify(token: string): Promise<TokenClaims | undefined>;
  /** Public keys (RFC 7517), served at `<basePath>/jwks.json`; absent where keys are symmetric. */
  jwks?(): Promise<{ readonly keys: readonly object[] }>;
}
