import { errAsync, ok, okAsync, type ResultAsync } from 'neverthrow';
import { checkAccountId } from '../../base/accounts/account-id.ts';
import type { CheckKnownAccount } from '../../base/accounts/known-account.ts';
import { type InvalidCursor, readPage } from '../../base/pagination/cursor.ts';
import { assertListOptions, type ListOptions } from '../../base/pagination/list-options.ts';
import type { Page } from '../../base/pagination/page.ts';
import { callPort, type Unavailable } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { type Failure, failure, type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { newId } from '../../base/runtime/id.ts';
import { ifVersion } from '../../base/runtime/if-version.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import type { Random } from '../../base/runtime/random.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import { type DurationMs, type EpochMs, toSeconds } from '../../base/runtime/time.ts';
import { timeProblem } from '../../base/runtime/time-problem.ts';
import { updateWithRetry } from '../../base/runtime/update-with-retry.ts';
import type { Actor } from '../../base/signals/actor.ts';
import type { ClientChangeName } from '../../base/signals/change-names.ts';
import type { Observer } from '../../base/signals/listener.ts';
import {
  addSecret,
  type ClientChange,
  expireSecret,
  rename,
  revokeSecret,
  revokeTokens,
  setDisabled,
} from './changes.ts';
import { type Client, type ClientSecret, type ClientView, viewClient } from './client.ts';
import type { ClientCache } from './client-cache.ts';
import { isClientId } from './client-id.ts';
import type { ClientStore } from './client-store.ts';
import { digestSecret, mintSecret } from './secret.ts';

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
  /** The client. */
  readonly client: ClientView;
  /** The id of the secret. */
  readonly secretId: string;
  /** The `client_secret`. */
  readonly secret: string;
}

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
    input: {
      /** Name for people: 1 to 256 bytes. */
      readonly name: string;
    },
  ): ResultAsync<NewClientSecret, ClientFailure>;
  /** Reads a client. */
  find(accountId: string, clientId: string): ResultAsync<ClientView, ClientFailure>;
  /** Lists the clients of an account. */
  list(accountId: string, options?: ListOptions): ResultAsync<Page<ClientView>, ClientFailure>;
  /** Renames a client. */
  rename(
    accountId: string,
    clientId: string,
    input: {
      /** Name for people: 1 to 256 bytes. */
      readonly name: string;
    },
  ): ResultAsync<ClientView, ClientFailure>;
  /**
   * Adds a secret; the other secrets keep working. First step of a rotation. At most five active secrets: revoked
   * secrets do not count, nor do those that expired longer ago than a token lives.
   */
  addSecret(
    accountId: string,
    clientId: string,
    input?: {
      /** Label for people: 1 to 256 bytes. @defaultValue none */
      readonly label?: string;
    },
  ): ResultAsync<NewClientSecret, ClientFailure>;
  /**
   * Refuses logins with a secret from `at` on, or from now on when `at` has passed. Its tokens stay valid. Second step
   * of a rotation.
   */
  expireSecret(
    accountId: string,
    clientId: string,
    secretId: string,
    options: {
      /** When it expires, in milliseconds since 1970. */
      readonly at: EpochMs;
    },
  ): ResultAsync<ClientView, ClientFailure>;
  /** Revokes a secret: refuses logins with it, and every token issued with it. */
  revokeSecret(accountId: string, clientId: string, secretId: string): ResultAsync<ClientView, ClientFailure>;
  /** Revokes every token issued until now; the secrets keep working. */
  revokeTokens(accountId: string, clientId: string): ResultAsync<ClientView, ClientFailure>;
  /**
   * Revokes one token of any client of the account. A token that is not valid or not of this account is `not_found`.
   */
  revokeToken(accountId: string, token: string): ResultAsync<void, ClientFailure>;
  /** Refuses logins and tokens of a client until it is enabled. */
  disable(accountId: string, clientId: string): ResultAsync<ClientView, ClientFailure>;
  /** Enables a disabled client; its tokens that have not expired are valid again. */
  enable(accountId: string, clientId: string): ResultAsync<ClientView, ClientFailure>;
  /** Deletes a client with its secrets: refuses its logins, and every token issued to it. */
  delete(accountId: string, clientId: string): ResultAsync<void, ClientFailure>;
}

/** The claims of an access token that a revocation needs. */
interface VerifiedToken {
  readonly jti: string;
  readonly accountId: string;
  readonly clientId: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** @internal */
export interface ClientsDeps {
  readonly store: ClientStore;
  /** Checks the account of a new client. */
  readonly checkKnownAccount: CheckKnownAccount;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  readonly secretPrefix: string;
  readonly tokenLifetime: DurationMs;
  readonly verifyToken: (token: string) => Promise<VerifiedToken | undefined>;
  /** Cached clients and tokens of this process: every change goes through it. */
  readonly cache: ClientCache;
  /** Who makes the changes. */
  readonly actor: Actor;
  /** The versions that a changed client may have. `undefined`: any. */
  readonly ifVersion: readonly number[] | undefined;
}

const invalid = (field: string, detail: string) => errAsync(invalidField(field, detail));
const textRule = '1 to 256 bytes of text without control characters.';

/** The name of an input. @throws TypeError when it has another field. */
const nameIn = (caller: string, input: unknown): unknown => {
  if (!isObject(input)) return undefined;
  assertOptionNames(caller, input, { name: true });
  return input['name'];
};

/** @internal */
export const createClients = ({
  store,
  checkKnownAccount,
  clock,
  random,
  observe,
  secretPrefix,
  tokenLifetime,
  verifyToken,
  cache,
  actor,
  ifVersion: versions,
}: ClientsDeps): Clients => {
  const signal = (change: ClientChangeName, accountId: string, clientId: string): void =>
    observe({ kind: 'client', change, accountId, clientId, by: actor });

  const mint = (label?: string): { readonly record: ClientSecret; readonly secret: string } => {
    const { id, secret } = mintSecret(secretPrefix, random);
    const record = {
      id,
      digest: digestSecret(secret),
      createdAt: clock.now(),
      revoked: false,
      ...(label === undefined ? {} : { label }),
    };
    return { record, secret };
  };

  const owned = (accountId: string, clientId: string): ResultAsync<Client, ClientFailure> =>
    callPort(async () => (isClientId(clientId) ? store.findClient(clientId) : undefined)).andThen((client) =>
      client?.accountId === accountId && client.id === clientId ? okAsync(client) : errAsync(failure('not_found')),
    );

  const change = (
    accountId: string,
    clientId: string,
    name: ClientChangeName,
    act: ClientChange,
    write: (client: Client) => Promise<boolean> = (client) => store.replaceClient(client),
  ): ResultAsync<ClientView, ClientFailure> =>
    updateWithRetry<Client, ClientFailure>(
      () => owned(accountId, clientId),
      ifVersion(versions, act),
      (client) => cache.runChange(clientId, () => write(client)),
    ).map((client) => {
      signal(name, accountId, clientId);
      return viewClient({ ...client, version: client.version + 1 });
    });

  return {
    create: (accountId, input) => {
      const name = nameIn('clients.create', input);
      const acting = checkAccountId(accountId);
      if (acting.isErr()) return errAsync(acting.error);
      if (!isIdentifier(name)) return invalid('name', textRule);
      const { record, secret } = mint();
      const client: Client = {
        id: newId(clock, random),
        accountId,
        name,
        createdAt: record.createdAt,
        disabled: false,
        secrets: [record],
        tokensNotBefore: 0,
        version: 1,
      };
      return checkKnownAccount(accountId)
        .andThen(() => callPort(() => store.insertClient(client)))
        .map(() => {
          signal('created', accountId, client.id);
          return { client: viewClient(client), secretId: record.id, secret };
        });
    },
    find: (accountId, clientId) => owned(accountId, clientId).map(viewClient),
    list: (accountId, options = {}) => {
      assertListOptions('clients.list', options, {});
      const { page = {} } = options;
      return checkAccountId(accountId)
        .asyncAndThen(() =>
          callPort(() =>
            readPage(['clients', accountId, page.newestFirst === true], page, (opened) =>
              store.listClients(accountId, opened),
            ),
          ),
        )
        .andThen((read) => read)
        .map(({ items, ...rest }) => ({
          ...rest,
          items: items.filter((client) => client.accountId === accountId).map(viewClient),
        }));
    },
    rename: (accountId, clientId, input) => {
      const name = nameIn('clients.rename', input);
      return isIdentifier(name) ? change(accountId, clientId, 'renamed', rename(name)) : invalid('name', textRule);
    },
    addSecret: (accountId, clientId, input = {}) => {
      assertOptionNames('clients.addSecret', input, { label: true });
      const { label } = input;
      if (label !== undefined && !isIdentifier(label)) return invalid('label', textRule);
      const { record, secret } = mint(label);
      return change(accountId, clientId, 'secret_added', addSecret(record, clock.now() - tokenLifetime)).map(
        (client) => ({
          client,
          secretId: record.id,
          secret,
        }),
      );
    },
    expireSecret: (accountId, clientId, secretId, options) => {
      assertOptionNames('clients.expireSecret', options, { at: true });
      const { at } = options;
      const problem = timeProblem(at);
      return problem === undefined
        ? change(accountId, clientId, 'secret_expires', expireSecret(secretId, Math.max(at, clock.now())))
        : invalid('at', problem);
    },
    revokeSecret: (accountId, clientId, secretId) =>
      change(accountId, clientId, 'secret_revoked', revokeSecret(secretId)),
    revokeTokens: (accountId, clientId) => change(accountId, clientId, 'tokens_revoked', revokeTokens(clock.now())),
    revokeToken: (accountId, token) =>
      callPort(() => verifyToken(token)).andThen((claims) => {
        if (claims?.accountId !== accountId || claims.expiresAt <= toSeconds(clock.now())) {
          return errAsync(failure('not_found'));
        }
        const revoke = () => store.revokeToken(claims.jti, claims.expiresAt);
        return callPort(() => cache.runChange(claims.jti, revoke)).andTee(() => {
          signal('token_revoked', accountId, claims.clientId);
        });
      }),
    disable: (accountId, clientId) => change(accountId, clientId, 'disabled', setDisabled(true)),
    enable: (accountId, clientId) => change(accountId, clientId, 'enabled', setDisabled(false)),
    delete: (accountId, clientId) =>
      change(accountId, clientId, 'deleted', ok, (client) => store.deleteClient(client)).map(() => undefined),
  };
};
