import type { StoredFields } from '../../base/fields/field.ts';
import type { EpochMs, EpochSeconds } from '../../base/runtime/time.ts';
import type { clientFields, loginRefusals, secretFields } from './client-fields.ts';
import type { ClientUsage } from './client-usage.ts';

/**
 * One secret of a client, as stored: never the secret itself.
 * @public
 */
export interface ClientSecret extends StoredFields<ReturnType<typeof secretFields>> {
  /** SHA-256 of the whole secret, 64 hex digits. No slow hash is needed: the secret has 256 random bits. */
  readonly digest: string;
  /**
   * Absent: partnerkit issued it. `imported`: a secret of another form. `legacy`: only `imported.legacySecrets` can
   * verify it, and the digest is 64 zeros.
   */
  readonly origin?: 'imported' | 'legacy';
}

/**
 * Why a login was refused.
 *
 * - `malformed_secret`: the secret is no secret of this platform, such as a part of one.
 * - `wrong_secret`, `expired_secret`, `revoked_secret`: the secret is not one of the client, or no longer.
 * - `disabled`: the client is disabled.
 * - `expired`: the time is its `expiresAt` or later.
 * - `address_not_allowed`: the caller is in none of its `networks`.
 * - `account_not_allowed`: `accounts.find` does not know the account, or `api.mayUseApi` refuses it.
 * - `too_many_logins`: the limit `limits.loginsPerClient` is reached.
 * - `malformed_assertion`: the client assertion is no JWT with a `sub`, or the platform verifies none.
 * - `wrong_assertion`: no public key of the client verifies it.
 * - `wrong_assertion_claims`: `iss`, `sub`, `aud`, `exp`, `nbf`, `iat` or `jti` is missing or wrong.
 * - `expired_assertion`: its `exp` has passed.
 * - `repeated_assertion`: its `jti` was used before.
 * @public
 */
export type LoginRefusal = (typeof loginRefusals)[number];

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
export interface Client extends StoredFields<ReturnType<typeof clientFields>> {
  /** The `client_id`: a UUID; that of an imported client is 1 to 128 visible ASCII characters. */
  readonly id: string;
  /** The account that the client belongs to. */
  readonly accountId: string;
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
  /** Its calls. Only `find` and `list` read them. */
  readonly usage?: ClientUsage;
};

export const viewClient = ({ secrets, ...client }: Client): ClientView => ({
  ...client,
  secrets: secrets.map(({ digest: _digest, ...secret }) => secret),
});
