import { err, ok, type Result, type ResultAsync } from '#result';
import { type Client, type ClientView, viewClient } from '../../access/clients/client.ts';
import type { ClientCache } from '../../access/clients/client-cache.ts';
import type { CallCounter } from '../../access/clients/count-calls.ts';
import { hasEnded, mayCallFrom, reachesChild } from '../../access/clients/limits.ts';
import type { TakeLimit } from '../../access/tokens/api-limits.ts';
import type { cacheVerifiedTokens, VerifiedClaims } from '../../access/tokens/verified-tokens.ts';
import type { Account, AccountDirectory } from '../../base/accounts/account.ts';
import { lookUpAccount, lookUpReached } from '../../base/accounts/find-account.ts';
import type { EnvironmentReach } from '../../base/accounts/reach.ts';
import { mayCall, type NeededRight } from '../../base/accounts/rights.ts';
import { jwkThumbprint } from '../../base/crypto/public-jwk.ts';
import { type HttpHeaders, type HttpResponse, type RequestHead, singleHeader } from '../../base/http/route.ts';
import { isThenable } from '../../base/runtime/brand.ts';
import { unavailable } from '../../base/runtime/call-port.ts';
import { chain, type Soon } from '../../base/runtime/chain.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import type { Failure } from '../../base/runtime/failure.ts';
import { type EpochMs, toSeconds } from '../../base/runtime/time.ts';
import { challengeOf } from '../operations/codes.ts';
import type { HttpFailure } from '../operations/failure.ts';
import { repeatsAuthorization } from './authorization.ts';

/**
 * An authenticated client and the account that it accesses.
 * @public
 */
export interface Caller {
  readonly client: ClientView;
  /** The account in the path: the client's own, or one of its children. */
  readonly account: Account;
  /** The scope of the access token. */
  readonly scope: string;
}

/**
 * Access of a client to a child account that `api.mayUseApi` refuses: read and write, or read only.
 * @public
 */
export type InactiveChildren = 'writable' | 'read_only';

/** A caller, with the stored client. */
export type Reached = Omit<Caller, 'client'> & { readonly client: Client };

/** Whether the path names the client's own account, whose children it can access, and not one of these. */
export const isOwnAccount = ({ client, account }: Reached): boolean => client.accountId === account.id;

/** The caller as the host sees it. */
export const viewCaller = ({ client, account, scope }: Reached): Caller => ({
  client: viewClient(client),
  account,
  scope,
});

/**
 * A request that partnerkit does not admit. `code` is that of the problem document.
 * @public
 */
export interface RefusedRequest extends Failure {
  /** What an account route answers. Send it unchanged. */
  readonly response: HttpResponse;
}

/**
 * Authenticates a request to an account, by an API key that has the right. The path of the request is not read:
 * `organisationId` names the account.
 * @public
 */
export type Authenticate = (
  request: RequestHead,
  organisationId: string,
  right: NeededRight,
) => ResultAsync<Caller, RefusedRequest>;

export interface CallerDeps {
  readonly accounts: AccountDirectory;
  readonly verifyToken: ReturnType<typeof cacheVerifiedTokens>;
  readonly cache: ClientCache;
  readonly mayUseApi: (account: Account) => boolean;
  readonly environmentReach: EnvironmentReach;
  readonly inactiveChildren: InactiveChildren;
  /** Whether the address of a caller is known (`api.trustRemoteAddress`). */
  readonly trustsAddresses: boolean;
  /** Counts a call of a client whose token is valid. */
  readonly takeCall: TakeLimit | undefined;
  /** Counts the calls of each client. */
  readonly calls: Pick<CallCounter, 'count'>;
  readonly clock: Clock;
}

const scheme = /^bearer(?: +|$)/i;

const repeated: HttpFailure = {
  code: 'invalid_request',
  detail: 'Send one Authorization header.',
  headers: { 'www-authenticate': 'Bearer realm="partner", error="invalid_request"' },
};

/** Reads the bearer token of a request; its syntax is checked at verification. */
const readBearer = (headers: HttpHeaders): Result<string, HttpFailure> => {
  if (repeatsAuthorization(headers)) return err(repeated);
  const value = singleHeader(headers, 'authorization');
  const found = scheme.exec(value ?? '')?.[0];
  if (value !== undefined && found !== undefined) return ok(value.slice(found.length));
  // RFC 6750 §2.1 allows one header with one token. Without the scheme Bearer, the response has no error code (§3.1).
  return err({
    code: value === undefined && headers['authorization'] !== undefined ? 'invalid_token' : 'missing_token',
  });
};

/** The refusal of a right, which it names (RFC 6750 §3.1). */
const lacking = (right: NeededRight): HttpFailure => ({
  code: 'insufficient_scope',
  detail: `This needs the right ${right}, which the API key or the scope of its access token does not have.`,
  headers: challengeOf(right),
});

/** Does not trust the port: a time that is not a number would never be in the past. */
const isCurrent = ({ issuedAt, expiresAt }: VerifiedClaims, clock: Clock): boolean =>
  Number.isSafeInteger(issuedAt) && Number.isSafeInteger(expiresAt) && expiresAt > toSeconds(clock.now());

/** What of a request is read. */
type Asked = Pick<RequestHead, 'method' | 'headers' | 'remoteAddress'>;

/** The client of a token, with the accounts of its request. */
interface Found {
  readonly client: Client;
  readonly own: Account;
  /** `undefined`: out of reach. */
  readonly target: Account | undefined;
  readonly scope: string;
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Whether a client has the secret or the key of a login. A token of another system names neither: it ends with the last
 * secret.
 */
const hasCredential = ({ secrets, jwks }: Client, id: string | undefined): boolean =>
  secrets.some((secret) => !secret.revoked && (id === undefined || secret.id === id)) ||
  (jwks?.keys.some((key) => jwkThumbprint(key) === id) ?? false);

const isActive = (
  client: Client,
  { clientId, accountId, secretId, issuedAt }: VerifiedClaims,
  now: EpochMs,
): boolean => {
  const same = client.id === clientId && client.accountId === (accountId ?? client.accountId);
  const isOpen = !client.disabled && !hasEnded(client, now);
  return same && isOpen && hasCredential(client, secretId) && client.tokensNotBefore <= issuedAt;
};

/**
 * Authenticates a request and applies the scoping rules (specification §1.1 to §1.3, §5.1). An account out of reach is
 * `not_found`, like one that does not exist.
 */
export const createCallerCheck = ({
  accounts,
  verifyToken,
  cache,
  mayUseApi,
  environmentReach,
  inactiveChildren,
  trustsAddresses,
  takeCall,
  calls,
  clock,
}: CallerDeps) => {
  /** Reads the own account of a client, and the requested account if it is within reach. */
  const lookUpAccounts = (client: Client, { environment, scope }: VerifiedClaims, accountId: string) =>
    chain(lookUpAccount(accounts, client.accountId), (own) => {
      if (!own || own.environment !== (environment ?? own.environment)) return undefined;
      const isOwn = own.id === accountId;
      if (!isOwn && !reachesChild(client, accountId)) return { client, own, target: undefined, scope };
      const target = isOwn ? own : lookUpReached(accounts, own, accountId, environmentReach);
      return chain(target, (reached): Found => ({ client, own, target: reached, scope }));
    });

  /** Reads the client of a valid token, and its accounts: in the same turn when all of it is at hand. */
  const lookUp = (token: string, accountId: string): Soon<Found | undefined> =>
    chain<VerifiedClaims | undefined, Found | undefined>(verifyToken(token), (claims) => {
      if (!claims || !isCurrent(claims, clock)) return undefined;
      // Both reads start at once.
      const [reading, asking] = [cache.client(claims.clientId), cache.isTokenRevoked(claims.jti)];
      return chain(reading, (client) =>
        chain(asking, (isRevoked) =>
          !client || isRevoked || !isActive(client, claims, clock.now())
            ? undefined
            : lookUpAccounts(client, claims, accountId),
        ),
      );
    });

  const mayDo = (method: string, target: Account): boolean =>
    inactiveChildren === 'writable' || isRead(method) || mayUseApi(target) === true;

  const decide = (method: string, { client, own, target, scope }: Found): Result<Reached, HttpFailure> => {
    if (mayUseApi(own) !== true) return err({ code: 'account_not_active' });
    if (!target) return err({ code: 'not_found' });
    if (!mayDo(method, target)) return err({ code: 'account_not_active' });
    return ok({ client, account: target, scope });
  };

  const admit = (
    { method, remoteAddress }: Asked,
    right: NeededRight,
    found: Found | undefined,
  ): Soon<Result<Reached, HttpFailure>> => {
    if (!found) return err({ code: 'invalid_token' });
    if (!mayCallFrom(found.client, remoteAddress, trustsAddresses)) return err({ code: 'address_not_allowed' });
    const mayDoIt = mayCall(found.client, found.scope, right);
    const { id } = found.client;
    if (mayDoIt !== true) {
      calls.count(id, 'insufficient_scope');
      return err(mayDoIt === 'no_scope' ? { code: 'insufficient_scope' } : lacking(right));
    }
    if (takeCall)
      return takeCall(id).then((taken) => {
        calls.count(id, taken.isErr() && taken.error.code === 'too_many_requests' ? taken.error.code : undefined);
        return taken.andThen(() => decide(method, found));
      });
    calls.count(id);
    return decide(method, found);
  };

  return (request: Asked, accountId: string, right: NeededRight): Soon<Result<Reached, HttpFailure>> => {
    const token = readBearer(request.headers);
    if (token.isErr()) return err(token.error);
    let found: Soon<Found | undefined>;
    try {
      found = lookUp(token.value, accountId);
    } catch (cause) {
      return err(unavailable(cause));
    }
    if (!isThenable(found)) return admit(request, right, found);
    return found.then(
      (later) => admit(request, right, later),
      (cause: unknown) => err(unavailable(cause)),
    );
  };
};
