import type { EpochSeconds } from '../runtime/time.ts';

/**
 * Verifies client secrets that another system issued. Asked only for secrets that are not of partnerkit's form.
 * @public
 */
export interface LegacySecrets {
  /**
   * Whether a secret is that of a client.
   *
   * - Called for every such secret, also of clients that do not exist: do equal work for them, or the time of an answer
   *   reveals who is a client.
   * - Only an imported client with a secret `legacy` can log in by it, whatever it returns.
   * - Rejects when it cannot decide.
   */
  verify(clientId: string, secret: string): Promise<boolean>;
  /**
   * Whether to store the SHA-256 of a secret that was verified, so that it is not asked again. Only for random secrets
   * of at least 128 bits: a stolen SHA-256 of a guessable one can be searched. @defaultValue false
   */
  readonly storeDigest?: boolean;
}

/**
 * The claims of an access token that another system issued.
 * @public
 */
export interface LegacyTokenClaims {
  /** The imported client. Its account is that of the token. */
  readonly clientId: string;
  /** When it was issued, in seconds since 1970; revoked by `clients.revokeTokens`. */
  readonly issuedAt: EpochSeconds;
  /** When it expires, in seconds since 1970. */
  readonly expiresAt: EpochSeconds;
  /** The environment of its account when it was issued. @defaultValue it is not compared */
  readonly environment?: string;
  /** Unique id of the token. @defaultValue the SHA-256 of the token */
  readonly jti?: string;
}

/**
 * Verifies access tokens that another system issued, for a changeover. Expiry, client, revocation, environment and
 * reach are checked as for other tokens.
 * @public
 */
export interface LegacyTokens {
  /**
   * Verifies a token.
   *
   * - Returns the claims of a genuine token, and `undefined` for any other text.
   * - Asked at each request with a token that is not of partnerkit; cache what is expensive.
   * - Rejects only when it cannot decide.
   */
  verify(token: string): Promise<LegacyTokenClaims | undefined>;
}
