import type { z } from 'zod';
import { errAsync, ok, okAsync, type Result, type ResultAsync } from '#result';
import { checkAccountId } from '../../base/accounts/account-id.ts';
import type { CheckKnownAccount } from '../../base/accounts/known-account.ts';
import type { Rights } from '../../base/accounts/rights.ts';
import type { NewAuditEntry } from '../../base/audit/audit-entry.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import { present } from '../../base/fields/present.ts';
import { readPage } from '../../base/pagination/cursor.ts';
import { assertListOptions } from '../../base/pagination/list-options.ts';
import { callPort, type Unavailable } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { failure, type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { newId } from '../../base/runtime/id.ts';
import { ifVersion } from '../../base/runtime/if-version.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { once } from '../../base/runtime/once.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import type { Random } from '../../base/runtime/random.ts';
import { readInput } from '../../base/runtime/read-input.ts';
import { type DurationMs, toSeconds } from '../../base/runtime/time.ts';
import { timeProblem } from '../../base/runtime/time-problem.ts';
import { updateWithRetry } from '../../base/runtime/update-with-retry.ts';
import type { Actor } from '../../base/signals/actor.ts';
import type { ClientChangeName } from '../../base/signals/change-names.ts';
import { type Change, readBy, readChange } from '../../base/signals/change-options.ts';
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
import { clientAudit } from './client-audit.ts';
import type { ClientCache } from './client-cache.ts';
import { clientInputs } from './client-fields.ts';
import { isClientId } from './client-id.ts';
import type { ClientStore } from './client-store.ts';
import type { UsageDay } from './client-usage.ts';
import type { ClientFailure, Clients, NewClient } from './clients.ts';
import { consistent, possible } from './limits.ts';
import { digestSecret, mintSecret } from './secret.ts';
import { usageOf } from './usage.ts';

/** The claims of an access token that a revocation needs. */
interface VerifiedToken {
  readonly jti: string;
  readonly accountId: string;
  readonly clientId: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

export interface ClientsDeps {
  readonly store: ClientStore;
  /** Checks the account of a new client. */
  readonly checkKnownAccount: CheckKnownAccount;
  readonly clock: Clock;
  readonly random: Random;
  /** Makes entries of the audit trail. */
  readonly auditor: Pick<Auditor, 'entry'>;
  readonly observe: Observer;
  readonly rights: Pick<Rights, 'all'>;
  /** Whether the address of a caller is known (`api.trustRemoteAddress`). */
  readonly trustsAddresses: boolean;
  /** Whether the kit verifies signatures of clients, so that they can have public keys. */
  readonly verifiesAssertions: boolean;
  readonly secretPrefix: string;
  readonly tokenLifetime: DurationMs;
  readonly verifyToken: (token: string) => Promise<VerifiedToken | undefined>;
  /** Cached clients and tokens of this process: every change goes through it. */
  readonly cache: ClientCache;
  /** Writes the calls that this process counted. */
  readonly flush: () => Promise<void>;
}

/** A change of a stored client. */
interface StoredChange {
  readonly accountId: string;
  readonly clientId: string;
  readonly name: ClientChangeName;
  readonly by: Change;
  readonly act: ClientChange;
  /** Stores the changed client. @defaultValue replaces it */
  readonly write?: (client: Client, audit: NewAuditEntry) => Promise<boolean>;
}

/** Reads an input. @throws TypeError when it has an unknown field. */
const read = <S extends z.ZodObject>(caller: string, schema: S, input: unknown): Result<z.output<S>, InvalidInput> => {
  const given = isObject(input) ? input : {};
  const names = Object.keys(schema.shape).map((name) => [name, true] as const);
  assertOptionNames(caller, given, Object.fromEntries(names));
  return readInput(schema, given);
};

export const createClients = ({
  store,
  checkKnownAccount,
  clock,
  random,
  auditor,
  observe,
  rights,
  trustsAddresses,
  verifiesAssertions,
  secretPrefix,
  tokenLifetime,
  verifyToken,
  cache,
  flush,
}: ClientsDeps): Clients => {
  const inputs = once(() => clientInputs(rights.all, 'call', verifiesAssertions));
  const here = () => ({ now: clock.now(), trustsAddresses });
  const audit = clientAudit(auditor);
  const signal = (change: ClientChangeName, accountId: string, clientId: string, by: Actor): void =>
    observe({ kind: 'client', change, accountId, clientId, by });

  const mint = (given: z.output<ReturnType<typeof clientInputs>['secret']>) => {
    const { id, secret } = mintSecret(secretPrefix, random);
    const own = { id, digest: digestSecret(secret), createdAt: clock.now(), revoked: false };
    const record: ClientSecret = { ...own, ...present(given) };
    return { record, secret };
  };

  const owned = (accountId: string, clientId: string): ResultAsync<Client, ClientFailure> =>
    callPort(async () => (isClientId(clientId) ? store.findClient(clientId) : undefined)).andThen((client) =>
      client?.accountId === accountId && client.id === clientId ? okAsync(client) : errAsync(failure('not_found')),
    );

  const change = ({
    accountId,
    clientId,
    name,
    by,
    act,
    write = (client, entry) => store.replaceClient(client, entry),
  }: StoredChange): ResultAsync<ClientView, ClientFailure> =>
    updateWithRetry<Client, ClientFailure>(
      () => owned(accountId, clientId),
      ifVersion(by.versions, act),
      (client, before) => cache.runChange(clientId, () => write(client, audit(name, client, by, before))),
    ).map((client) => {
      signal(name, accountId, clientId, by.actor);
      return viewClient({ ...client, version: client.version + 1 });
    });

  /** Reads the usage of a page of clients, by one call. */
  const withUsage = (clients: readonly Client[]): ResultAsync<readonly ClientView[], Unavailable> =>
    callPort(async () => (clients.length === 0 ? [] : store.readUsage(clients.map(({ id }) => id)))).map((days) => {
      const byClient = new Map<string, UsageDay[]>(clients.map(({ id }) => [id, []]));
      for (const each of days) byClient.get(each.clientId)?.push(each);
      const now = clock.now();
      return clients.map((client) => ({
        ...viewClient(client),
        usage: usageOf(client, byClient.get(client.id) ?? [], now),
      }));
    });

  return {
    create: ((accountId, input, options = {}) => {
      const by = readBy('clients.create', options);
      const given = read('clients.create', inputs().created, input)
        .andThen((fields) => possible(fields, here()))
        .andThen((fields) => consistent(fields));
      const acting = checkAccountId(accountId);
      if (acting.isErr()) return errAsync(acting.error);
      if (given.isErr()) return errAsync(given.error);
      const made = given.value.jwks ? undefined : mint({});
      const client: Client = {
        id: newId(clock, random),
        accountId,
        ...present(given.value),
        createdAt: made?.record.createdAt ?? clock.now(),
        disabled: false,
        secrets: made ? [made.record] : [],
        tokensNotBefore: 0,
        version: 1,
      };
      return checkKnownAccount(accountId)
        .andThen(() => callPort(() => store.insertClient(client, audit('created', client, by))))
        .map((): NewClient => {
          signal('created', accountId, client.id, by.actor);
          const view = viewClient(client);
          return made ? { client: view, secretId: made.record.id, secret: made.secret } : { client: view };
        });
      // The input decides whether there is a secret, as the overloads say.
    }) as Clients['create'],
    find: (accountId, clientId) =>
      owned(accountId, clientId).andThen((client) => withUsage([client]).map(([view]) => view ?? viewClient(client))),
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
        .andThen(({ items, ...rest }) =>
          withUsage(items.filter((client) => client.accountId === accountId)).map((shown) => ({
            ...rest,
            items: shown,
          })),
        );
    },
    flushUsage: flush,
    update: (accountId, clientId, input, options = {}) => {
      const by = readChange('clients.update', options);
      return read('clients.update', inputs().changed, input)
        .andThen((fields) => possible(fields, here()))
        .asyncAndThen((given) => change({ accountId, clientId, by, name: 'updated', act: update(given) }));
    },
    addSecret: (accountId, clientId, input = {}, options = {}) => {
      const by = readChange('clients.addSecret', options);
      return read('clients.addSecret', inputs().secret, input).asyncAndThen((given) => {
        const { record, secret } = mint(given);
        const act = addSecret(record, clock.now() - tokenLifetime);
        return change({ accountId, clientId, by, name: 'secret_added', act }).map((client) => ({
          client,
          secretId: record.id,
          secret,
        }));
      });
    },
    expireSecret: (accountId, clientId, secretId, options) => {
      const by = readChange('clients.expireSecret', options, { at: true });
      const { at } = options;
      const problem = timeProblem(at);
      if (problem !== undefined) return errAsync(invalidField('at', problem));
      const act = expireSecret(secretId, Math.max(at, clock.now()));
      return change({ accountId, clientId, by, name: 'secret_expires', act });
    },
    revokeSecret: (accountId, clientId, secretId, options = {}) => {
      const by = readChange('clients.revokeSecret', options);
      return change({ accountId, clientId, by, name: 'secret_revoked', act: revokeSecret(secretId) });
    },
    revokeTokens: (accountId, clientId, options = {}) => {
      const by = readChange('clients.revokeTokens', options);
      return change({ accountId, clientId, by, name: 'tokens_revoked', act: revokeTokens(clock.now()) });
    },
    revokeToken: (accountId, token, options = {}) => {
      const by = readBy('clients.revokeToken', options);
      return callPort(() => verifyToken(token)).andThen((claims) => {
        if (claims?.accountId !== accountId || claims.expiresAt <= toSeconds(clock.now())) {
          return errAsync(failure('not_found'));
        }
        const entry = audit('token_revoked', { id: claims.clientId, accountId }, by);
        const revoke = () => store.revokeToken(claims.jti, claims.expiresAt, entry);
        return callPort(() => cache.runChange(claims.jti, revoke)).andTee(() => {
          signal('token_revoked', accountId, claims.clientId, by.actor);
        });
      });
    },
    disable: (accountId, clientId, options = {}) => {
      const by = readChange('clients.disable', options);
      return change({ accountId, clientId, by, name: 'disabled', act: setDisabled(true) });
    },
    enable: (accountId, clientId, options = {}) => {
      const by = readChange('clients.enable', options);
      return change({ accountId, clientId, by, name: 'enabled', act: setDisabled(false) });
    },
    delete: (accountId, clientId, options = {}) => {
      const by = readChange('clients.delete', options);
      const write = (client: Client, entry: NewAuditEntry) => store.deleteClient(client, entry);
      return change({ accountId, clientId, by, name: 'deleted', act: ok, write }).map(() => undefined);
    },
  };
};
