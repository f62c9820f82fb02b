import { err, ok, type Result } from '#result';
import type { Account } from '../../base/accounts/account.ts';
import { mayCall, type Right, requiredScope } from '../../base/accounts/rights.ts';
import { callPort, tryCall, type Unavailable } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { type Failure, failure, type InvalidInput } from '../../base/runtime/failure.ts';
import { newId } from '../../base/runtime/id.ts';
import type { Random } from '../../base/runtime/random.ts';
import { type DurationMs, type EpochMs, minute, second, toSeconds } from '../../base/runtime/time.ts';
import { updateWithRetry } from '../../base/runtime/update-with-retry.ts';
import type { Observer } from '../../base/signals/listener.ts';
import { toNewDigest } from '../clients/changes.ts';
import type { Client } from '../clients/client.ts';
import type { ClientCache } from '../clients/client-cache.ts';
import type { ClientStore } from '../clients/client-store.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { TakeLimit, TooManyRequests } from './api-limits.ts';
import {
  type AuthenticationFailure,
  type ClientAuthentication,
  type ClientAuthenticator,
  loginUnavailable,
} from './authenticate.ts';
import type { Authenticated } from './credentials.ts';

/** The parameters of a login (specification §4.1; RFC 6749 §4.4.2). */
export interface TokenRequest extends ClientAuthentication {
  /** The scope that is granted. */
  readonly scope: string;
  /** Whether another scope was sent, or none: then the response contains it (RFC 6749 §5.1). */
  readonly isScopeOther: boolean;
}

/** Why a login fails. */
export type GrantFailure =
  | AuthenticationFailure
  | {
      /** 400: the scope names a right that the client does not have (RFC 6749 §5.2). */
      readonly code: 'invalid_scope';
      readonly detail: string;
    }
  | TooManyRequests;

/** The token response (specification §2.2; RFC 6749 §5.1). */
export interface TokenResponse {
  /** RFC 6750. */
  readonly token_type: 'Bearer';
  /** Lifetime in seconds. */
  readonly expires_in: number;
  readonly access_token: string;
  /** Present only when another scope was sent, or none (RFC 6749 §5.1). */
  readonly scope?: string;
}

export interface GrantDeps {
  readonly authentication: ClientAuthenticator;
  readonly clients: ClientStore;
  /** Cached clients of this process: every change goes through it. */
  readonly cache: Pick<ClientCache, 'runChange'>;
  readonly tokens: AccessTokens;
  /** Counts a login of a client whose credentials are right. */
  readonly takeLogin: TakeLimit | undefined;
  readonly tokenLifetime: DurationMs;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
}

const gone = failure('not_found');

/** Minimum interval between two writes of `lastUsedAt` of a secret. */
const touchEvery = minute;

/** The first right of a scope that the client does not have. */
const lackedRight = (client: Client, scope: string): string | undefined =>
  scope === requiredScope
    ? undefined
    : scope.split(' ').find((right) => mayCall(client, scope, right as Right) !== true);

/** The client-credentials grant (specification §4.1, §5.1; RFC 6749 §4.4). */
export const createGrant = (deps: GrantDeps) => {
  const { authentication, clients, cache, tokens, takeLogin, tokenLifetime, clock, random, observe } = deps;
  const { authenticate, signal, note } = authentication;
  const expiresIn = Math.floor(tokenLifetime / second);

  /** Stores the digest of a secret of another system. Its failure does not refuse a login: it is asked again. */
  const storeDigest = async ({ client, secret, digest }: Authenticated) =>
    digest === undefined || !secret
      ? undefined
      : updateWithRetry<Client, Failure<'not_found' | 'too_many_secrets'> | InvalidInput | Unavailable>(
          () => callPort(() => clients.findClient(client.id)).andThen((found) => (found ? ok(found) : err(gone))),
          toNewDigest(secret.id, digest),
          (changed) => cache.runChange(client.id, () => clients.replaceClient(changed)),
        ).andTee(() =>
          observe({
            kind: 'client',
            change: 'secret_adopted',
            accountId: client.accountId,
            clientId: client.id,
            by: { type: 'host' },
          }),
        );

  /** Records the login for display. Its failure does not refuse a login. */
  const touch = async ({ client, secret }: Authenticated) =>
    !secret || (secret.lastUsedAt ?? 0) + touchEvery > clock.now()
      ? undefined
      : tryCall(() => clients.touchSecret(client.id, secret.id, clock.now()));

  const issue = ({ client, secret, thumbprint = '' }: Authenticated, account: Account, scope: string, now: EpochMs) => {
    const issuedAt = Math.max(toSeconds(now), client.tokensNotBefore);
    const expiresAt = Math.min(issuedAt + expiresIn, toSeconds(client.expiresAt ?? Infinity));
    return tryCall(async () => {
      const token: unknown = await tokens.issue({
        clientId: client.id,
        accountId: account.id,
        environment: account.environment,
        secretId: secret?.id ?? thumbprint,
        scope,
        jti: newId(clock, random),
        issuedAt,
        expiresAt,
      });
      if (typeof token !== 'string' || token === '') throw new TypeError('tokens.issue: it returned no token, a text.');
      return { token, lifetime: expiresAt - issuedAt };
    });
  };

  return async (request: TokenRequest, address: string | undefined): Promise<Result<TokenResponse, GrantFailure>> => {
    const admitted = await authenticate(request, address);
    if (admitted.isErr()) return err(admitted.error);
    const { authenticated, account, at, refund } = admitted.value;
    const counted = takeLogin ? await takeLogin(authenticated.client.id) : ok(undefined);
    if (counted.isErr()) {
      await refund();
      if (counted.error.code === 'unavailable') return err(loginUnavailable(counted.error));
      signal('limited', authenticated.client.id, true);
      note(authenticated.client.id, 'too_many_logins');
      return err(counted.error);
    }
    const { scope, isScopeOther } = request;
    const lacked = lackedRight(authenticated.client, scope);
    if (lacked !== undefined) {
      await refund();
      return err({ code: 'invalid_scope', detail: `The API key does not have the right ${lacked}.` });
    }
    const issuing = issue(authenticated, account, scope, at);
    const [issued] = await Promise.all([issuing, touch(authenticated), refund(), storeDigest(authenticated)]);
    if (issued.isErr()) return err(loginUnavailable(issued.error));
    const { token, lifetime } = issued.value;
    signal('granted', authenticated.client.id, true);
    const response = { token_type: 'Bearer', expires_in: lifetime, access_token: token } as const;
    return ok(isScopeOther ? { ...response, scope } : response);
  };
};
