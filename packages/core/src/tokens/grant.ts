import { errAsync, okAsync, ResultAsync } from 'neverthrow';
import type { Account, AccountDirectory } from '../accounts/account.ts';
import { findAccount } from '../accounts/find-account.ts';
import type { ClientStore } from '../clients/client-store.ts';
import type { HttpFailure } from '../http/failure.ts';
import type { Clock } from '../runtime/clock.ts';
import { isId, newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import { type DurationMs, minute, second, toSeconds } from '../runtime/time.ts';
import { ask, type Unavailable } from '../runtime/unavailable.ts';
import type { Observer } from '../signals/signal.ts';
import type { AccessTokens } from './access-tokens.ts';
import { addressKey } from './address-key.ts';
import { type Authenticated, authenticateClient } from './credentials.ts';
import type { LimitRule, RateLimiter } from './rate-limiter.ts';
import type { TokenRequest } from './token-request.ts';

/**
 * How many failed logins are too many. A success gives its points back, and the right secret is never refused.
 * @public
 */
export interface LoginLimits {
  /** Failures from one address (an IPv6 /64). @defaultValue 100 in 15 minutes */
  readonly perAddress: LimitRule;
  /** Failures of one client id from one address. @defaultValue 10 in 15 minutes */
  readonly perClientAndAddress: LimitRule;
  /** Failures of one client from anywhere, before a signal `login_pressure`; nothing is blocked. @defaultValue 100 in 15 minutes */
  readonly signalPerClient: LimitRule;
}

/** @internal */
export const defaultLoginLimits: LoginLimits = {
  perAddress: { points: 100, window: 15 * minute },
  perClientAndAddress: { points: 10, window: 15 * minute },
  signalPerClient: { points: 100, window: 15 * minute },
};

/** The token response (specification §2.2). @internal */
export interface TokenResponse {
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  readonly access_token: string;
  /** Only when it was defaulted (RFC 6749 §5.1). */
  readonly scope?: string;
}

/** @internal */
export interface GrantDeps {
  readonly accounts: AccountDirectory;
  readonly clients: ClientStore;
  readonly tokens: AccessTokens;
  readonly limiter: RateLimiter;
  readonly limits: LoginLimits;
  readonly mayUseApi: (account: Account) => boolean;
  readonly tokenLifetime: DurationMs;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
}

/** A secret's `lastUsedAt` is written at most this often. */
const touchEvery = minute;

const unavailable = ({ cause }: Unavailable): HttpFailure => ({ code: 'login_unavailable', cause });

/** The client-credentials grant (specification §4.1, §5.1; RFC 6749 §4.4). @internal */
export const createGrant = (deps: GrantDeps) => {
  const { accounts, clients, tokens, limiter, limits, mayUseApi, tokenLifetime, clock, random, observe } = deps;

  const signal = (outcome: 'granted' | 'refused' | 'limited', clientId: string): void =>
    observe({ kind: 'login', outcome, ...(isId(clientId) ? { clientId } : {}) });

  /**
   * Points are taken before the check: the address's, then the pair's. An address without points makes no further keys: it
   * could fill the limiter with invented ids.
   */
  const takePoints = (request: TokenRequest, address: string | undefined) => {
    const from = `login:${addressKey(address)}`;
    const pair = `${from}:${isId(request.clientId) ? request.clientId : '-'}`;
    return ask(async () => {
      const ofAddress = await limiter.take(from, limits.perAddress);
      if (ofAddress > 0) return { wait: ofAddress, taken: [] };
      const ofPair = await limiter.take(pair, limits.perClientAndAddress);
      return { wait: ofPair, taken: ofPair > 0 ? [from] : [from, pair] };
    });
  };

  const giveBack = (keys: readonly string[]) =>
    // A point that cannot be given back comes back by itself with the end of its window.
    ResultAsync.combine(keys.map((key) => ask(() => limiter.giveBack(key)).orElse(() => okAsync(undefined))));

  const touch = ({ client, secret }: Authenticated) =>
    (secret.lastUsedAt ?? 0) + touchEvery > clock.now()
      ? okAsync(undefined)
      : // For the operator's eyes only: no reason to refuse a login.
        ask(() => clients.touchSecret(client.id, secret.id, clock.now())).orElse(() => okAsync(undefined));

  const issue = ({ client, secret }: Authenticated, account: Account, request: TokenRequest) => {
    const issuedAt = Math.max(toSeconds(clock.now()), client.tokensNotBefore);
    const expiresIn = Math.floor(tokenLifetime / second);
    return ask(() =>
      tokens.issue({
        clientId: client.id,
        accountId: account.id,
        environment: account.environment,
        secretId: secret.id,
        scope: request.scope,
        jti: newId(clock, random),
        issuedAt,
        expiresAt: issuedAt + expiresIn,
      }),
    ).map(
      (token): TokenResponse => ({
        token_type: 'Bearer',
        expires_in: expiresIn,
        access_token: token,
        ...(request.scopeDefaulted ? { scope: request.scope } : {}),
      }),
    );
  };

  const refuse = (request: TokenRequest, wait: DurationMs, counts: boolean): ResultAsync<never, HttpFailure> => {
    signal(wait > 0 ? 'limited' : 'refused', request.clientId);
    const failure: HttpFailure =
      wait > 0
        ? { code: 'too_many_attempts', retryAfterSeconds: Math.ceil(wait / second) }
        : { code: 'invalid_client', basic: request.basic };
    if (!counts || !isId(request.clientId)) return errAsync(failure);
    return ask(() => limiter.take(`login-total:${request.clientId}`, limits.signalPerClient))
      .orElse(() => okAsync(0))
      .andThen((pressed) => {
        if (pressed > 0) observe({ kind: 'login_pressure', clientId: request.clientId });
        return errAsync(failure);
      });
  };

  return (request: TokenRequest, address: string | undefined): ResultAsync<TokenResponse, HttpFailure> =>
    takePoints(request, address)
      .mapErr(unavailable)
      .andThen(({ wait, taken }) => {
        return authenticateClient(clients, request, clock.now())
          .andThen((proved) =>
            proved
              ? findAccount(accounts, proved.client.accountId).map((account) =>
                  account && mayUseApi(account) === true ? { proved, account } : undefined,
                )
              : okAsync(undefined),
          )
          .mapErr(unavailable)
          .andThen((login) => {
            if (!login) return refuse(request, wait, taken.length > 0);
            return ResultAsync.combine([
              issue(login.proved, login.account, request),
              touch(login.proved),
              giveBack(taken),
            ])
              .map(([response]) => {
                signal('granted', request.clientId);
                return response;
              })
              .mapErr(unavailable);
          });
      });
};
