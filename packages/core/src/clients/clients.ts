import { errAsync, okAsync, type ResultAsync } from 'neverthrow';
import { checkAccountId } from '../accounts/account-id.ts';
import { changeStored } from '../runtime/change-stored.ts';
import type { Clock } from '../runtime/clock.ts';
import { type InvalidCursor, readPage } from '../runtime/cursor.ts';
import { isId, newId } from '../runtime/id.ts';
import type { Page, PageRequest } from '../runtime/page.ts';
import type { Random } from '../runtime/random.ts';
import { isIdentifier } from '../runtime/text.ts';
import { type DurationMs, type EpochMs, toSeconds } from '../runtime/time.ts';
import { ask, type Unavailable } from '../runtime/unavailable.ts';
import type { Observer } from '../signals/signal.ts';
import type { AccessTokens } from '../tokens/access-tokens.ts';
import type { FreshClients } from '../tokens/fresh-clients.ts';
import {
  addSecret,
  type ClientChange,
  expireSecret,
  rename,
  revokeSecret,
  revokeTokens,
  setDisabled,
} from './changes.ts';
import { type Client, type ClientChangeName, type ClientSecret, type ClientView, viewClient } from './client.ts';
import type { ClientStore } from './client-store.ts';
import { digestSecret, mintSecret } from './secret.ts';

/**
 * Why a client could not be managed. `not_found` also answers for the clients of other accounts.
 * @public
 */
export type ClientFailure =
  | { readonly code: 'not_found' | 'too_many_secrets' | 'changed_meanwhile' }
  | { readonly code: 'invalid_input' /** What to change. */; readonly detail: string }
  | InvalidCursor
  | Unavailable;

/**
 * A client with a secret that was just made. The secret is here and nowhere else: show it once.
 * @public
 */
export interface NewSecret {
  readonly client: ClientView;
  readonly secretId: string;
  readonly secret: string;
}

/**
 * What the host's web interface does with API keys (specification §1.4). Each call names the acting account; ids of other
 * accounts answer `not_found`.
 * @public
 */
export interface Clients {
  /**
   * "Add a key": one input, its name (1 to 256 bytes).
   * @example
   * const added = await kit.clients.add(accountId, { name: 'Booking system' });
   * if (added.isOk()) showOnce(added.value.client.id, added.value.secret);
   */
  add(accountId: string, input: { readonly name: string }): ResultAsync<NewSecret, ClientFailure>;
  find(accountId: string, clientId: string): ResultAsync<ClientView, ClientFailure>;
  list(accountId: string, page?: PageRequest): ResultAsync<Page<ClientView>, ClientFailure>;
  rename(accountId: string, clientId: string, name: string): ResultAsync<ClientView, ClientFailure>;
  /**
   * A further secret that works beside the others: the first step of a rotation. At most five at once, not counting the revoked
   * and those that expired longer ago than a token lives.
   */
  addSecret(
    accountId: string,
    clientId: string,
    input?: { readonly label?: string },
  ): ResultAsync<NewSecret, ClientFailure>;
  /** Logins with it end at `at`, or now if that has passed; the tokens that it made live on. The second step of a rotation. */
  expireSecret(
    accountId: string,
    clientId: string,
    secretId: string,
    at: EpochMs,
  ): ResultAsync<ClientView, ClientFailure>;
  /** Ends logins with it and every token made with it, at once. */
  revokeSecret(accountId: string, clientId: string, secretId: string): ResultAsync<ClientView, ClientFailure>;
  /** Ends every token issued until now; the secrets go on. */
  revokeTokens(accountId: string, clientId: string): ResultAsync<ClientView, ClientFailure>;
  /** Ends one token, whichever client of the account holds it. What is no living token of this account is `not_found`. */
  revokeToken(accountId: string, token: string): ResultAsync<void, ClientFailure>;
  /** Refuses its logins and its tokens until it is enabled again. */
  disable(accountId: string, clientId: string): ResultAsync<ClientView, ClientFailure>;
  enable(accountId: string, clientId: string): ResultAsync<ClientView, ClientFailure>;
}

/** @internal */
export interface ClientsDeps {
  readonly store: ClientStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  readonly secretPrefix: string;
  readonly tokenLifetime: DurationMs;
  readonly tokens: AccessTokens;
  /** What this process remembers of clients and tokens: every change goes through it. */
  readonly fresh: FreshClients;
}

const invalid = (detail: string) => errAsync({ code: 'invalid_input' as const, detail });
const wrongName = 'name: 1 to 256 bytes of text without control characters.';

/** @internal */
export const createClients = ({
  store,
  clock,
  random,
  observe,
  secretPrefix,
  tokenLifetime,
  tokens,
  fresh,
}: ClientsDeps): Clients => {
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
    ask(async () => (isId(clientId) ? store.findClient(clientId) : undefined)).andThen((client) =>
      client?.accountId === accountId && client.id === clientId
        ? okAsync(client)
        : errAsync({ code: 'not_found' as const }),
    );

  const change = (
    accountId: string,
    clientId: string,
    name: ClientChangeName,
    act: ClientChange,
  ): ResultAsync<ClientView, ClientFailure> =>
    changeStored<Client, ClientFailure>(
      () => owned(accountId, clientId),
      act,
      (client) => fresh.changing(clientId, () => store.replaceClient(client)),
    ).map((client) => {
      observe({ kind: 'client', change: name, accountId, clientId });
      return viewClient(client);
    });

  return {
    add: (accountId, input) => {
      const name = input?.name;
      const acting = checkAccountId(accountId);
      if (acting.isErr()) return errAsync(acting.error);
      if (!isIdentifier(name)) return invalid(wrongName);
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
      return ask(() => store.insertClient(client)).map(() => {
        observe({ kind: 'client', change: 'added', accountId, clientId: client.id });
        return { client: viewClient(client), secretId: record.id, secret };
      });
    },
    find: (accountId, clientId) => owned(accountId, clientId).map(viewClient),
    list: (accountId, page = {}) =>
      checkAccountId(accountId)
        .asyncAndThen(() =>
          ask(() =>
            readPage(['clients', accountId, page.newestFirst === true], page, (opened) =>
              store.listClients(accountId, opened),
            ),
          ),
        )
        .andThen((read) => read)
        .map(({ items, ...rest }) => ({
          ...rest,
          items: items.filter((client) => client.accountId === accountId).map(viewClient),
        })),
    rename: (accountId, clientId, name) =>
      isIdentifier(name) ? change(accountId, clientId, 'renamed', rename(name)) : invalid(wrongName),
    addSecret: (accountId, clientId, input) => {
      const label = input?.label;
      if (label !== undefined && !isIdentifier(label))
        return invalid('label: 1 to 256 bytes of text without control characters.');
      const { record, secret } = mint(label);
      return change(accountId, clientId, 'secret_added', addSecret(record, clock.now() - tokenLifetime)).map(
        (client) => ({
          client,
          secretId: record.id,
          secret,
        }),
      );
    },
    expireSecret: (accountId, clientId, secretId, at) =>
      Number.isSafeInteger(at) && at >= 0
        ? change(accountId, clientId, 'secret_expires', expireSecret(secretId, Math.max(at, clock.now())))
        : invalid('at: milliseconds since 1970, a whole number.'),
    revokeSecret: (accountId, clientId, secretId) =>
      change(accountId, clientId, 'secret_revoked', revokeSecret(secretId)),
    revokeTokens: (accountId, clientId) => change(accountId, clientId, 'tokens_revoked', revokeTokens(clock.now())),
    revokeToken: (accountId, token) =>
      ask(() => tokens.verify(token)).andThen((claims) => {
        if (claims?.accountId !== accountId || claims.expiresAt <= toSeconds(clock.now())) {
          return errAsync({ code: 'not_found' as const });
        }
        const revoke = () => store.revokeToken(claims.jti, claims.expiresAt);
        return ask(() => fresh.changing(claims.jti, revoke)).andTee(() => {
          observe({ kind: 'client', change: 'token_revoked', accountId, clientId: claims.clientId });
        });
      }),
    disable: (accountId, clientId) => change(accountId, clientId, 'disabled', setDisabled(true)),
    enable: (accountId, clientId) => change(accountId, clientId, 'enabled', setDisabled(false)),
  };
};
