import { err, ok, type Result } from '#result';
import type { Account, AccountDirectory } from '../../base/accounts/account.ts';
import { findAccount } from '../../base/accounts/find-account.ts';
import { callPort, tryCall, type Unavailable } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { isId } from '../../base/runtime/id.ts';
import { type DurationMs, type EpochMs, minute, second } from '../../base/runtime/time.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { Client, LoginRefusal } from '../clients/client.ts';
import { isClientId } from '../clients/client-id.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { mayCallFrom } from '../clients/limits.ts';
import { addressKey } from './address-key.ts';
import { type AssertionCheck, verifyAssertion } from './assertion.ts';
import {
  type Authenticated,
  authenticateClient,
  type Credentials,
  closedReason,
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

/** The credentials of a request: an id and a secret, or an assertion. */
export interface ClientAuthentication extends Credentials {
  /**
   * The credentials of HTTP Basic as they were sent, if form-decoding changes them: old clients do not encode them (RFC
   * 7617). They are tried second.
   */
  readonly literal?: Credentials | undefined;
  /** A JWT in place of the secret, which is empty (RFC 7523 §2.2). `clientId` is the sent one, else its `sub`. */
  readonly assertion?: string | undefined;
}

/** Why an authentication fails. */
export type AuthenticationFailure =
  | {
      /** 401: unknown client, wrong secret or assertion, or a client that cannot log in (RFC 6749 §5.2). */
      readonly code: 'invalid_client';
    }
  | {
      /** 429: the authentication failed, and `limits.failedLogins` are exceeded. */
      readonly code: 'too_many_attempts';
      /** Value of `Retry-After`. */
      readonly retryAfterSeconds: number;
    }
  | {
      /** 503 `temporarily_unavailable`: a port failed. */
      readonly code: 'login_unavailable';
      /** What the port rejected with. */
      readonly cause: unknown;
    };

export interface AuthenticationDeps {
  readonly accounts: AccountDirectory;
  readonly clients: ClientStore;
  /** Whether clients of another system can log in. */
  readonly imported: ImportedLogins;
  /** `undefined`: every assertion is refused. */
  readonly assertions: AssertionCheck | undefined;
  readonly limiter: RateLimiter;
  readonly limits: LoginLimits;
  readonly mayUseApi: (account: Account) => boolean;
  /** Whether the address of a caller is known (`api.trustRemoteAddress`). */
  readonly trustsAddresses: boolean;
  readonly clock: Clock;
  readonly observe: Observer;
}

/** An authenticated client, and what follows for the limits. */
export interface Admitted {
  readonly authenticated: Authenticated;
  readonly account: Account;
  /** When it was checked: the client had not ended. */
  readonly at: EpochMs;
  /** Gives the points of failed logins back. */
  readonly refund: () => Promise<unknown>;
}

/** Minimum interval between two writes of `lastRefusal` of a client. */
const noteEvery = minute;

export const loginUnavailable = ({ cause }: Unavailable): AuthenticationFailure => ({
  code: 'login_unavailable',
  cause,
});

/** Authenticates clients at the token endpoint and at revocation (RFC 6749 §2.3, RFC 7523 §2.2), within the limits. */
export const createAuthentication = (deps: AuthenticationDeps) => {
  const { accounts, clients, imported, assertions, limiter, limits, mayUseApi, trustsAddresses, clock, observe } = deps;
  const hasClientForm = imported.acceptsImported ? isClientId : isId;

  /** The id of an unknown client is shown only in our form: a caller may have sent its secret in its place. */
  const signal = (outcome: 'granted' | 'refused' | 'limited', clientId: string, isKnown = false): void =>
    observe({ kind: 'login', outcome, ...(isKnown || isId(clientId) ? { clientId } : {}) });

  /**
   * Takes the points of the address, then of client and address, before the credentials are checked. An address without
   * points takes none of the second kind: invented client ids could fill the limiter.
   */
  const takePoints = (request: ClientAuthentication, address: string | undefined) => {
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
    request: ClientAuthentication,
    wait: DurationMs,
    counts: boolean,
    { reason, clientId: known }: Refused,
  ): Promise<AuthenticationFailure> => {
    const [clientId, isKnown] = [known ?? request.clientId, known !== undefined];
    signal(wait > 0 ? 'limited' : 'refused', clientId, isKnown);
    if (wait <= 0) note(clientId, reason);
    if (counts && hasClientForm(clientId)) await countFailure(clientId, isKnown);
    return wait > 0
      ? { code: 'too_many_attempts', retryAfterSeconds: Math.ceil(wait / second) }
      : { code: 'invalid_client' };
  };

  /** The outcome of an assertion. Its `jti` is used up last, so that only genuine ones fill the limiter. */
  const byAssertion = async (
    { clientId, assertion = '' }: ClientAuthentication,
    now: EpochMs,
    from: Parameters<typeof closedReason>[2],
  ): Promise<Authenticated | Refused> => {
    if (!assertions || !hasClientForm(clientId)) return { reason: 'malformed_assertion' };
    const stored = await clients.findClient(clientId);
    const client = stored?.id === clientId ? stored : undefined;
    const verified = await verifyAssertion(assertion, { clientId, client }, assertions, now);
    if (!client) return { reason: 'wrong_assertion' };
    const refused = (reason: LoginRefusal): Refused => ({ reason, clientId });
    if (typeof verified === 'string') return refused(verified);
    const closed = closedReason(client, now, from);
    if (closed !== undefined) return refused(closed);
    return (await verified.use(limiter)) ? { client, thumbprint: verified.thumbprint } : refused('repeated_assertion');
  };

  /** Beyond the limits nobody may make the host work; a secret that only it can verify waits as Retry-After says. */
  const check = (request: ClientAuthentication, now: EpochMs, wait: DurationMs, address: string | undefined) => {
    const from = { mayCallFrom: (client: Client) => mayCallFrom(client, address, trustsAddresses) };
    if (request.assertion !== undefined) return callPort(() => byAssertion(request, now, from));
    return authenticateClient(clients, request, now, { ...imported, ...from, mayAskLegacy: wait <= 0 });
  };

  const authenticate = async (
    request: ClientAuthentication,
    address: string | undefined,
  ): Promise<Result<Admitted, AuthenticationFailure>> => {
    const points = await takePoints(request, address);
    if (points.isErr()) return err(loginUnavailable(points.error));
    const { wait, taken } = points.value;
    const at = clock.now();
    const authentication = await check(request, at, wait, address);
    if (authentication.isErr()) return err(loginUnavailable(authentication.error));
    const outcome = authentication.value;
    const authenticated = 'client' in outcome ? outcome : undefined;
    const refused: Refused =
      'client' in outcome ? { reason: 'account_not_allowed', clientId: outcome.client.id } : outcome;
    const found = authenticated ? await findAccount(accounts, authenticated.client.accountId) : ok(undefined);
    if (found.isErr()) return err(loginUnavailable(found.error));
    const account = found.value;
    if (!authenticated || !account || mayUseApi(account) !== true)
      return err(await refuse(request, wait, taken.length > 0, refused));
    return ok({ authenticated, account, at, refund: () => refund(taken) });
  };
  return { authenticate, signal, note };
};

export type ClientAuthenticator = ReturnType<typeof createAuthentication>;
