import { errAsync, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { z } from 'zod';
import { checkAccountId } from '../../base/accounts/account-id.ts';
import type { CheckKnownAccount } from '../../base/accounts/known-account.ts';
import type { GivenFields } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
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
import { readInput } from '../../base/runtime/read-input.ts';
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
  revokeSecret,
  revokeTokens,
  setDisabled,
  update,
} from './changes.ts';
import { type Client, type ClientSecret, type ClientView, viewClient } from './client.ts';
import type { ClientCache } from './client-cache.ts';
import { type clientFields, clientInputs, type secretFields } from './client-fields.ts';
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
 * The fields of a new client.
 * @public
 */
export interface ClientInput extends GivenFields<typeof clientFields, 'created'> {}

/**
 * The fields of a client to change. An absent field stays as it is.
 * @public
 */
export interface ClientUpdate extends GivenFields<typeof clientFields, 'changed'> {}

/**
 * The fields of a new secret.
 * @public
 */
export interface ClientSecretInput extends GivenFields<typeof secretFields, 'created'> {}

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
  create(accountId: string, input: ClientInput): ResultAsync<NewClientSecret, ClientFailure>;
  /** Reads a client. */
  find(accountId: string, clientId: string): ResultAsync<ClientView, ClientFailure>;
  /** Lists the clients of an account. */
  list(accountId: string, options?: ListOptions): ResultAsync<Page<ClientView>, ClientFailure>;
  /** Changes fields of a client. */
  update(accountId: string, clientId: string, change: ClientUpdate): ResultAsync<ClientView, ClientFailure>;
  /**
   * Adds a secret; the other secrets keep working. First step of a rotation. At most five active secrets: revoked
   * secrets do not count, nor do those that expired longer ago than a token lives.
   */
  addSecret(
    accountId: string,
    clientId: string,
    input?: ClientSecretInput,
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

/** Reads an input. @throws TypeError when it has an unknown field. */
const read = <S extends z.ZodObject>(caller: string, schema: S, input: unknown): Result<z.output<S>, InvalidInput> => {
  const given = isObject(input) ? input : {};
  const names = Object.keys(schema.shape).map((name) => [name, true] as const);
  assertOptionNames(caller, given, Object.fromEntries(names));
  return readInput(schema, given);
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

  const mint = (given: z.output<typeof clientInputs.secret>) => {
    const { id, secret } = mintSecret(secretPrefix, random);
    const own = { id, digest: digestSecret(secret), createdAt: clock.now(), revoked: false };
    const record: ClientSecret = { ...own, ...present(given) };
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
      const given = read('clients.create', clientInputs.created, input);
      const acting = checkAccountId(accountId);
      if (acting.isErr()) return errAsync(acting.error);
      if (given.isErr()) return errAsync(given.error);
      const { record, secret } = mint({});
      const client: Client = {
        id: newId(clock, random),
        accountId,
        ...present(given.value),
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
    update: (accountId, clientId, input) =>
      read('clients.update', clientInputs.changed, input).asyncAndThen((given) =>
        change(accountId, clientId, 'updated', update(given)),
      ),
    addSecret: (accountId, clientId, input = {}) =>
      read('clients.addSecret', clientInputs.secret, input).asyncAndThen((given) => {
        const { record, secret } = mint(given);
        return change(accountId, clientId, 'secret_added', addSecret(record, clock.now() - tokenLifetime)).map(
          (client) => ({ client, secretId: record.id, secret }),
        );
      }),
    expireSecret: (accountId, clientId, secretId, options) => {
      assertOptionNames('clients.expireSecret', options, { at: true });
      const { at } = options;
      const problem = timeProblem(at);
      return problem === undefined
        ? change(accountId, clientId, 'secret_expires', expireSecret(secretId, Math.max(at, clock.now())))
        : errAsync(invalidField('at', problem));
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
