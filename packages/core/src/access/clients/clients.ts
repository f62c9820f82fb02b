import type { ResultAsync } from '#result';
import type { GivenFields } from '../../base/fields/field.ts';
import type { InvalidCursor } from '../../base/pagination/cursor.ts';
import type { ListOptions } from '../../base/pagination/list-options.ts';
import type { Page } from '../../base/pagination/page.ts';
import type { Unavailable } from '../../base/runtime/call-port.ts';
import type { Failure, InvalidInput } from '../../base/runtime/failure.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { ActorOptions, ChangeOptions } from '../../base/signals/change-options.ts';
import type { ClientView } from './client.ts';
import type { clientFields, secretFields } from './client-fields.ts';

/**
 * Why a call of {@link Clients} failed.
 * @public
 */
export type ClientFailure =
  /** The account has no such client, secret or valid token; another account may have it. */
  | Failure<'not_found'>
  /** The client has five active secrets: revoke one first. */
  | Failure<'too_many_secrets'>
  /** Other calls changed the client at the same time, five times in a row: try again. */
  | Failure<'changed_meanwhile'>
  /** The client has none of the versions of `ifVersion`: read it again. */
  | Failure<'version_mismatch'>
  /** An argument is wrong. */
  | InvalidInput
  | InvalidCursor
  | Unavailable;

/**
 * A client and its new secret. Show the secret once: only its digest is stored.
 * @public
 */
export interface NewClientSecret {
  readonly client: ClientView;
  readonly secretId: string;
  /** The `client_secret`. */
  readonly secret: string;
}

/**
 * A new client. One with public keys has no secret.
 * @public
 */
export type NewClient = Pick<NewClientSecret, 'client'> & Partial<NewClientSecret>;

/**
 * The fields of a new client.
 * @public
 */
export interface ClientInput extends GivenFields<ReturnType<typeof clientFields>, 'created'> {}

/**
 * The fields of a client to change. An absent field stays as it is.
 * @public
 */
export interface ClientUpdate extends GivenFields<ReturnType<typeof clientFields>, 'changed'> {}

/**
 * The fields of a new secret.
 * @public
 */
export interface ClientSecretInput extends GivenFields<ReturnType<typeof secretFields>, 'created'> {}

/**
 * Manages clients, as the "API keys" page of the host does (specification §1.4). Each method takes the acting account;
 * clients of other accounts return `not_found`. Each change is signalled as `client`.
 * @public
 */
export interface Clients {
  /**
   * Makes a client with its first secret. `accounts.find` must know the account.
   * @example
   * const created = await kit.clients.create(accountId, { name: 'Booking system' });
   * if (created.isOk()) showOnce(created.value.client.id, created.value.secret);
   */
  create(
    accountId: string,
    input: ClientInput & { readonly jwks?: undefined },
    options?: ActorOptions,
  ): ResultAsync<NewClientSecret, ClientFailure>;
  /**
   * Makes a client. With `jwks` it has no secret, and logs in by `private_key_jwt` (RFC 7523 §2.2).
   * @example
   * const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
   * const jwk = { kty: 'OKP', alg: 'EdDSA', crv: 'Ed25519', x } as const;
   * await kit.clients.create(accountId, { name: 'Booking system', jwks: { keys: [jwk] } });
   */
  create(accountId: string, input: ClientInput, options?: ActorOptions): ResultAsync<NewClient, ClientFailure>;
  /** Reads a client, with its usage. */
  find(accountId: string, clientId: string): ResultAsync<ClientView, ClientFailure>;
  /** Lists the clients of an account, with their usage. */
  list(accountId: string, options?: ListOptions): ResultAsync<Page<ClientView>, ClientFailure>;
  /**
   * Changes fields of a client.
   * @example
   * const actor = { type: 'user', id: 'user_7' } as const;
   * const renamed = await kit.clients.update(accountId, clientId, { name: 'Booking system' }, { actor });
   */
  update(
    accountId: string,
    clientId: string,
    change: ClientUpdate,
    options?: ChangeOptions,
  ): ResultAsync<ClientView, ClientFailure>;
  /**
   * Adds a secret; the other secrets keep working. First step of a rotation. At most five active secrets: revoked
   * secrets do not count, nor do those that expired longer ago than a token lives.
   */
  addSecret(
    accountId: string,
    clientId: string,
    input?: ClientSecretInput,
    options?: ChangeOptions,
  ): ResultAsync<NewClientSecret, ClientFailure>;
  /**
   * Refuses logins with a secret from `at` on, or from now on when `at` has passed. Its tokens stay valid. Second step
   * of a rotation.
   */
  expireSecret(
    accountId: string,
    clientId: string,
    secretId: string,
    options: ChangeOptions & {
      /** When it expires, in milliseconds since 1970. */
      readonly at: EpochMs;
    },
  ): ResultAsync<ClientView, ClientFailure>;
  /** Revokes a secret: refuses logins with it, and every token issued with it. */
  revokeSecret(
    accountId: string,
    clientId: string,
    secretId: string,
    options?: ChangeOptions,
  ): ResultAsync<ClientView, ClientFailure>;
  /** Revokes every token issued until now; the secrets keep working. */
  revokeTokens(accountId: string, clientId: string, options?: ChangeOptions): ResultAsync<ClientView, ClientFailure>;
  /**
   * Revokes one token of any client of the account. A token that is not valid or not of this account is `not_found`.
   */
  revokeToken(accountId: string, token: string, options?: ActorOptions): ResultAsync<void, ClientFailure>;
  /** Refuses logins and tokens of a client until it is enabled. */
  disable(accountId: string, clientId: string, options?: ChangeOptions): ResultAsync<ClientView, ClientFailure>;
  /** Enables a disabled client; its tokens that have not expired are valid again. */
  enable(accountId: string, clientId: string, options?: ChangeOptions): ResultAsync<ClientView, ClientFailure>;
  /**
   * Writes the calls that this process has counted since the last minute, which a crash loses. Call it before a process
   * without a worker ends; `worker.stop()` does. Resolves also when the storage fails: `onError` receives the error.
   */
  flushUsage(): Promise<void>;
  /** Deletes a client with its secrets: refuses its logins, and every token issued to it. */
  delete(accountId: string, clientId: string, options?: ChangeOptions): ResultAsync<void, ClientFailure>;
}
