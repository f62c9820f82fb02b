import type { EpochMs, EpochSeconds } from '../../base/runtime/time.ts';

/**
 * One secret of a client, as stored: never the secret itself.
 * @public
 */
export interface ClientSecret {
  /** Public part of the secret: `<prefix>_<id>_…`. Of an imported secret, derived from its digest. */
  readonly id: string;
  /** Free text, 1 to 256 bytes. */
  readonly label?: string;
  /** SHA-256 of the whole secret, 64 hex digits. No slow hash is needed: the secret has 256 random bits. */
  readonly digest: string;
  /**
   * Absent: partnerkit issued it. `imported`: a secret of another form. `legacy`: only `oauth.legacySecrets` can verify
   * it, and the digest is 64 zeros.
   */
  readonly origin?: 'imported' | 'legacy';
  /** When it was made. */
  readonly createdAt: EpochMs;
  /** Logins with it are refused from this time on; tokens issued with it stay valid. */
  readonly expiresAt?: EpochMs;
  /** Its logins and the tokens issued with it are refused. */
  readonly revoked: boolean;
  /** Last successful login, to the minute; shows which secrets are unused. */
  readonly lastUsedAt?: EpochMs;
}

/**
 * Why a login was refused.
 *
 * - `malformed_secret`: the secret is no secret of this platform, such as a part of one.
 * - `wrong_secret`, `expired_secret`, `revoked_secret`: the secret is not one of the client, or no longer.
 * - `disabled`: the client is disabled.
 * - `account_not_allowed`: `accounts.find` does not know the account, or `access.mayUseApi` refuses it.
 * - `too_many_logins`: the limit `limits.loginsPerClient` is reached.
 * @public
 */
export type LoginRefusal =
  | 'malformed_secret'
  | 'wrong_secret'
  | 'expired_secret'
  | 'revoked_secret'
  | 'disabled'
  | 'account_not_allowed'
  | 'too_many_logins';

/**
 * A refused login of a client.
 * @public
 */
export interface RefusedLogin {
  /** When it was refused. */
  readonly at: EpochMs;
  /** Why. */
  readonly reason: LoginRefusal;
}

/**
 * An OAuth 2.0 client of one account; the web interface calls it an API key (specification §1.1, §1.4).
 * @public
 */
export interface Client {
  /** The `client_id`: a UUID; that of an imported client is 1 to 128 visible ASCII characters. */
  readonly id: string;
  /** The account that the client belongs to. */
  readonly accountId: string;
  /** Descriptive name, 1 to 256 bytes. */
  readonly name: string;
  /** When it was made. */
  readonly createdAt: EpochMs;
  /** Its logins and tokens are refused. */
  readonly disabled: boolean;
  /** Its secrets; at most five that are not revoked and whose tokens have not all expired. */
  readonly secrets: readonly ClientSecret[];
  /**
   * The last login that was refused, to the minute; anyone who knows the client id can cause one. Logins past
   * `limits.failedLogins` are not recorded.
   */
  readonly lastRefusal?: RefusedLogin;
  /** Tokens issued before this second are refused. */
  readonly tokensNotBefore: EpochSeconds;
  /** Incremented by each change, for compare-and-swap. */
  readonly version: number;
}

/**
 * A client without the digests of its secrets, for display.
 * @public
 */
export type ClientView = Omit<Client, 'secrets'> & {
  /** Its secrets, oldest first, without their digests. */
  readonly secrets: readonly Omit<ClientSecret, 'digest'>[];
};

/** @internal */
export const viewClient = ({ secrets, ...client }: Client): ClientView => ({
  ...client,
  secrets: secrets.map(({ digest: _digest, ...secret }) => secret),
});
