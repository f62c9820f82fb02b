import { err, ok, type Result } from 'neverthrow';
import type { Account, AccountDirectory } from '../accounts/account.ts';
import { findAccount } from '../accounts/find-account.ts';
import type { ClientStore } from '../clients/client-store.ts';
import type { HttpFailure } from '../http/failure.ts';
import type { Clock } from '../runtime/clock.ts';
import { isId, newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import { type DurationMs, minute, second, toSeconds } from '../runtime/time.ts';
import { outcomeOf, type Unavailable } from '../runtime/unavailable.ts';
import type { Observer } from '../signals/signal.ts';
import type { AccessTokens } from './access-tokens.ts';
import { addressKey } from './address-key.ts';
import type { TakeLimit } from './api-limits.ts';
import { type Authenticated, authenticateClient } from './credentials.ts';
import type { LimitRule, RateLimiter } from './rate-limiter.ts';
import type { TokenRequest } from './token-request.ts';

/**
 * How many failed logins are too many. A success refunds its points, and the right secret is never refused.
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
  /** Counts a login of a client whose credentials are right. */
  readonly takeLogin: TakeLimit | undefined;
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
  const { accounts, clients, tokens, limiter, limits, takeLogin, mayUseApi, tokenLifetime, clock, random, observe } =
    deps;

  const expiresIn = Math.floor(tokenLifetime / second);

  const signal = (outcome: 'granted' | 'refused' | 'limited', clientId: string): void =>
    observe({ kind: 'login', outcome, ...(isId(clientId) ? { clientId } : {}) });

  /**
   * Points are taken before the check: the address's, then the pair's. An address without points makes no further keys: it
   * could fill the limiter with invented ids.
   */
  const takePoints = (request: TokenRequest, address: string | undefined) => {
    const from = `login:${addressKey(address)}`;
    const pair = `${from}:${isId(request.clientId) ? request.clientId : '-'}`;
    return outcomeOf(async () => {
      const ofAddress = await limiter.take(from, limits.perAddress);
      if (ofAddress > 0) return { wait: ofAddress, taken: [] };
      const ofPair = await limiter.take(pair, limits.perClientAndAddress);
      return { wait: ofPair, taken: ofPair > 0 ? [from] : [from, pair] };
    });
  };

  /** A point that cannot be refunded is free again when its window ends. */
  const refund = (keys: readonly string[]) => Promise.all(keys.map((key) => outcomeOf(() => limiter.refund(key))));

  /** For the operator's eyes only: that it fails is no reason to refuse a login. */
  const touch = async ({ client, secret }: Authenticated) =>
    (secret.lastUsedAt ?? 0) + touchEvery > clock.now()
      ? undefined
      : outcomeOf(() => clients.touchSecret(client.id, secret.id, clock.now()));

  const issue = ({ client, secret }: Authenticated, account: Account, scope: string) => {
    const issuedAt = Math.max(toSeconds(clock.now()), client.tokensNotBefore);
    return outcomeOf(() =>
      tokens.issue({
        clientId: client.id,
        accountId: account.id,
        environment: account.environment,
        secretId: secret.id,
        scope,
        jti: newId(clock, random),
        issuedAt,
        expiresAt: issuedAt + expiresIn,
      }),
    );
  };

  /** How many fail from anywhere; nobody is refused for it. */
  const countFailure = async (clientId: string): Promise<void> => {
    const pressed = await outcomeOf(() => limiter.take(`login-total:${clientId}`, limits.signalPerClient));
    if (pressed.unwrapOr(0) > 0) observe({ kind: 'login_pressure', clientId });
  };

  const refuse = async (request: TokenRequest, wait: DurationMs, counts: boolean): Promise<HttpFailure> => {
    signal(wait > 0 ? 'limited' : 'refused', request.clientId);
    if (counts && isId(request.clientId)) await countFailure(request.clientId);
    return wait > 0
      ? { code: 'too_many_attempts', retryAfterSeconds: Math.ceil(wait / second) }
      : { code: 'invalid_client' };
  };

  return async (request: TokenRequest, address: string | undefined): Promise<Result<TokenResponse, HttpFailure>> => {
    const points = await takePoints(request, address);
    if (points.isErr()) return err(unavailable(points.error));
    const { wait, taken } = points.value;
    const authenticated = await authenticateClient(clients, request, clock.now());
    if (authenticated.isErr()) return err(unavailable(authenticated.error));
    const proved = authenticated.value;
    const found = proved ? await findAccount(accounts, proved.client.accountId) : ok(undefined);
    if (found.isErr()) return err(unavailable(found.error));
    const account = found.value;
    if (!proved || !account || mayUseApi(account) !== true) return err(await refuse(request, wait, taken.length > 0));
    const counted = takeLogin ? await takeLogin(proved.client.id) : ok(undefined);
    if (counted.isErr()) {
      await refund(taken);
      if (counted.error.code === 'unavailable') return err(unavailable(counted.error));
      signal('limited', request.clientId);
      return err(counted.error);
    }
    const { scope, scopeDefaulted } = request;
    const issuing = issue(proved, account, scope);
    const [token] = await Promise.all([issuing, touch(proved), refund(taken)]);
    if (token.isErr()) return err(unavailable(token.error));
    signal('granted', request.clientId);
    const response = { token_type: 'Bearer', expires_in: expiresIn, access_token: token.value } as const;
    return ok(scopeDefaulted ? { ...response, scope } : response);
  };
};
