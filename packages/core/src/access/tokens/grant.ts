import { err, ok, type Result } from '#result';
import type { Account, AccountDirectory } from '../../base/accounts/account.ts';
import { findAccount } from '../../base/accounts/find-account.ts';
import { mayCall, type Right, requiredScope } from '../../base/accounts/rights.ts';
import { callPort, tryCall, type Unavailable } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { type Failure, failure, type InvalidInput } from '../../base/runtime/failure.ts';
import { isId, newId } from '../../base/runtime/id.ts';
import type { Random } from '../../base/runtime/random.ts';
import { type DurationMs, type EpochMs, minute, second, toSeconds } from '../../base/runtime/time.ts';
import { updateWithRetry } from '../../base/runtime/update-with-retry.ts';
import type { Observer } from '../../base/signals/listener.ts';
import { toNewDigest } from '../clients/changes.ts';
import type { Client, LoginRefusal } from '../clients/client.ts';
import type { ClientCache } from '../clients/client-cache.ts';
import { isClientId } from '../clients/client-id.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { mayCallFrom } from '../clients/limits.ts';
import type { AccessTokens } from './access-tokens.ts';
import { addressKey } from './address-key.ts';
import type { TakeLimit, TooManyRequests } from './api-limits.ts';
import {
  type Authenticated,
  authenticateClient,
  type Credentials,
  type ImportedLogins,
  type Refused,
} from './credentials.ts';
import type { LimitRule, RateLimiter } from './rate-limiter.ts';

/**
 * Limits of failed logins. A successful login refunds its points. A login with valid credentials is never refused,
 * unless only `imported.legacySecrets` can verify them: beyond a limit it is not asked, and its yes counts for a
 * second.
 * @public
 */
export interface LoginLimits {
  /** Failed logins from one address or IPv6 /64; then 429. @defaultValue 100 in 15 minutes */
  readonly perAddress: LimitRule;
  /** Failed logins of one client id from one address; then 429. @defaultValue 10 in 15 minutes */
  readonly perClientAndAddress: LimitRule;
  /**
   * Failed logins of one client from all addresses; then the signal `login_failures_high`. @defaultValue 100 in 15
   * minutes
   */
  readonly signalPerClient: LimitRule;
}

export const defaultLoginLimits: LoginLimits = {
  perAddress: { points: 100, window: 15 * minute },
  perClientAndAddress: { points: 10, window: 15 * minute },
  signalPerClient: { points: 100, window: 15 * minute },
};

/** The parameters of a login (specification §4.1; RFC 6749 §4.4.2). */
export interface TokenRequest extends Credentials {
  /**
   * The credentials of HTTP Basic as they were sent, if form-decoding changes them: old clients do not encode them (RFC
   * 7617). They are tried second.
   */
  readonly literal?: Credentials | undefined;
  /** The scope that is granted. */
  readonly scope: string;
  /** Whether another scope was sent, or none: then the response contains it (RFC 6749 §5.1). */
  readonly isScopeOther: boolean;
}

/** Why a login fails. */
export type GrantFailure =
  | {
      /** 401: unknown client, wrong secret, or a client that cannot log in (RFC 6749 §5.2). */
      readonly code: 'invalid_client';
    }
  | {
      /** 400: the scope names a right that the client does not have (RFC 6749 §5.2). */
      readonly code: 'invalid_scope';
      readonly detail: string;
    }
  | {
      /** 429: the login failed, and `limits.failedLogins` are exceeded. */
      readonly code: 'too_many_attempts';
      /** Value of `Retry-After`. */
      readonly retryAfterSeconds: number;
    }
  | {
      /** 503 `temporarily_unavailable`: a port failed. */
      readonly code: 'login_unavailable';
      /** What the port rejected with. */
      readonly cause: unknown;
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
  readonly accounts: AccountDirectory;
  readonly clients: ClientStore;
  /** Cached clients of this process: every change goes through it. */
  readonly cache: Pick<ClientCache, 'runChange'>;
  /** Whether clients of another system can log in. */
  readonly imported: ImportedLogins;
  readonly tokens: AccessTokens;
  readonly limiter: RateLimiter;
  readonly limits: LoginLimits;
  /** Counts a login of a client whose credentials are right. */
  readonly takeLogin: TakeLimit | undefined;
  readonly mayUseApi: (account: Account) => boolean;
  /** Whether the address of a caller is known (`api.trustRemoteAddress`). */
  readonly trustsAddresses: boolean;
  readonly tokenLifetime: DurationMs;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
}

const gone = failure('not_found');

/** Minimum interval between two writes of `lastUsedAt` of a secret. */
const touchEvery = minute;
/** Minimum interval between two writes of `lastRefusal` of a client. */
const noteEvery = minute;

/** The first right of a scope that the client does not have. */
const lackedRight = (client: Client, scope: string): string | undefined =>
  scope === requiredScope
    ? undefined
    : scope.split(' ').find((right) => mayCall(client, scope, right as Right) !== true);

const unavailable = ({ cause }: Unavailable): GrantFailure => ({ code: 'login_unavailable', cause });

/** The client-credentials grant (specification §4.1, §5.1; RFC 6749 §4.4). */
export const createGrant = (deps: GrantDeps) => {
  const { accounts, clients, cache, imported, tokens, limiter, limits, takeLogin, mayUseApi, trustsAddresses } = deps;
  const { tokenLifetime, clock, random, observe } = deps;

  const hasClientForm = imported.acceptsImported ? isClientId : isId;
  const expiresIn = Math.floor(tokenLifetime / second);

  /** The id of an unknown client is shown only in our form: a caller may have sent its secret in its place. */
  const signal = (outcome: 'granted' | 'refused' | 'limited', clientId: string, isKnown = false): void =>
    observe({ kind: 'login', outcome, ...(isKnown || isId(clientId) ? { clientId } : {}) });

  /**
   * Takes the points of the address, then of client and address, before the credentials are checked. An address without
   * points takes none of the second kind: invented client ids could fill the limiter.
   */
  const takePoints = (request: TokenRequest, address: string | undefined) => {
    const from = `login:${addressKey(address)}`;
    const pair = `${from}:${hasClientForm(request.clientId) ? request.clientId : '-'}`;
    return tryCall(async () => {
      const ofAddress = await limiter.take(from, limits.perAddress);
      if (ofAddress > 0) return { wait: ofAddress, taken: [] };
      const ofPair = await limiter.take(pair, limits.perClientAndAddress);
      return { wait: ofPair, taken: ofPair > 0 ? [from] : [from, pair] };
    });
  };

  /** A point that cannot be refunded is free again when its window ends. */
  const refund = (keys: readonly string[]) => Promise.all(keys.map((key) => tryCall(() => limiter.refund(key))));

  /** Stores the digest of a secret of another system. Its failure does not refuse a login: it is asked again. */
  const storeDigest = async ({ client, secret, digest }: Authenticated) =>
    digest === undefined
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
    (secret.lastUsedAt ?? 0) + touchEvery > clock.now()
      ? undefined
      : tryCall(() => clients.touchSecret(client.id, secret.id, clock.now()));

  const issue = ({ client, secret }: Authenticated, account: Account, scope: string, now: EpochMs) => {
    const issuedAt = Math.max(toSeconds(now), client.tokensNotBefore);
    const expiresAt = Math.min(issuedAt + expiresIn, toSeconds(client.expiresAt ?? Infinity));
    return tryCall(async () => {
      const token: unknown = await tokens.issue({
        clientId: client.id,
        accountId: account.id,
        environment: account.environment,
        secretId: secret.id,
        scope,
        jti: newId(clock, random),
        issuedAt,
        expiresAt,
      });
      if (typeof token !== 'string' || token === '') throw new TypeError('tokens.issue: it returned no token, a text.');
      return { token, lifetime: expiresAt - issuedAt };
    });
  };

  /** Counts failed logins from all addresses, for the signal only. Nobody waits for it. */
  const countFailure = async (clientId: string, isKnown: boolean): Promise<void> => {
    const overLimit = await tryCall(() => limiter.take(`login-total:${clientId}`, limits.signalPerClient));
    if (overLimit.unwrapOr(0) > 0 && (isKnown || isId(clientId))) observe({ kind: 'login_failures_high', clientId });
  };

  /** Records a refusal for display. Nobody waits for it: the time of an answer must not reveal that a client exists. */
  const note = (clientId: string, reason: LoginRefusal): void => {
    if (hasClientForm(clientId))
      void tryCall(() => clients.noteRefusal(clientId, { at: clock.now(), reason }, noteEvery));
  };

  const refuse = async (
    request: TokenRequest,
    wait: DurationMs,
    counts: boolean,
    { reason, clientId: known }: Refused,
  ): Promise<GrantFailure> => {
    const [clientId, isKnown] = [known ?? request.clientId, known !== undefined];
    signal(wait > 0 ? 'limited' : 'refused', clientId, isKnown);
    if (wait <= 0) note(clientId, reason);
    if (counts && hasClientForm(clientId)) await countFailure(clientId, isKnown);
    return wait > 0
      ? { code: 'too_many_attempts', retryAfterSeconds: Math.ceil(wait / second) }
      : { code: 'invalid_client' };
  };

  return async (request: TokenRequest, address: string | undefined): Promise<Result<TokenResponse, GrantFailure>> => {
    const points = await takePoints(request, address);
    if (points.isErr()) return err(unavailable(points.error));
    const { wait, taken } = points.value;
    // Beyond the limits nobody may make the host work; a secret that only it can verify waits as Retry-After says.
    const check = {
      ...imported,
      mayAskLegacy: wait <= 0,
      mayCallFrom: (client: Client) => mayCallFrom(client, address, trustsAddresses),
    };
    // The token begins at the time at which the client had not ended.
    const now = clock.now();
    const authentication = await authenticateClient(clients, request, now, check);
    if (authentication.isErr()) return err(unavailable(authentication.error));
    const outcome = authentication.value;
    const authenticated = 'client' in outcome ? outcome : undefined;
    const refused: Refused =
      'client' in outcome ? { reason: 'account_not_allowed', clientId: outcome.client.id } : outcome;
    const found = authenticated ? await findAccount(accounts, authenticated.client.accountId) : ok(undefined);
    if (found.isErr()) return err(unavailable(found.error));
    const account = found.value;
    if (!authenticated || !account || mayUseApi(account) !== true)
      return err(await refuse(request, wait, taken.length > 0, refused));
    const counted = takeLogin ? await takeLogin(authenticated.client.id) : ok(undefined);
    if (counted.isErr()) {
      await refund(taken);
      if (counted.error.code === 'unavailable') return err(unavailable(counted.error));
      signal('limited', authenticated.client.id, true);
      note(authenticated.client.id, 'too_many_logins');
      return err(counted.error);
    }
    const { scope, isScopeOther } = request;
    const lacked = lackedRight(authenticated.client, scope);
    if (lacked !== undefined) {
      await refund(taken);
      return err({ code: 'invalid_scope', detail: `The API key does not have the right ${lacked}.` });
    }
    const issuing = issue(authenticated, account, scope, now);
    const [issued] = await Promise.all([issuing, touch(authenticated), refund(taken), storeDigest(authenticated)]);
    if (issued.isErr()) return err(unavailable(issued.error));
    const { token, lifetime } = issued.value;
    signal('granted', authenticated.client.id, true);
    const response = { token_type: 'Bearer', expires_in: lifetime, access_token: token } as const;
    return ok(isScopeOther ? { ...response, scope } : response);
  };
};
