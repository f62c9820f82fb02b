import { err, ok, type Result } from 'neverthrow';
import type { Account, AccountDirectory } from '../accounts/account.ts';
import { lookUpAccount, lookUpReached } from '../accounts/find-account.ts';
import type { EnvironmentReach } from '../accounts/reach.ts';
import type { Client, ClientView } from '../clients/client.ts';
import { repeatsAuthorization } from '../http/authorization.ts';
import type { HttpFailure } from '../http/failure.ts';
import { type HttpHeaders, type RequestHead, singleHeader } from '../http/route.ts';
import type { Clock } from '../runtime/clock.ts';
import { toSeconds } from '../runtime/time.ts';
import { outcomeOf } from '../runtime/unavailable.ts';
import type { TokenClaims } from './access-tokens.ts';
import type { TakeLimit } from './api-limits.ts';
import type { FreshClients } from './fresh-clients.ts';
import { hasRequiredScope } from './scope.ts';
import type { rememberVerified } from './verified-tokens.ts';

/**
 * Who calls a route: a client, and the account that it reached.
 * @public
 */
export interface Caller {
  readonly client: ClientView;
  /** The account of the path: the client's own, or one of its children. */
  readonly account: Account;
  readonly scope: string;
}

/**
 * What a client may do in a child account that `mayUseApi` refuses: read and write, or read only.
 * @public
 */
export type InactiveChildren = 'writable' | 'read_only';

/** A caller, with all that is stored of the client. @internal */
export type Reached = Omit<Caller, 'client'> & { readonly client: Client };

/** @internal */
export interface CallerDeps {
  readonly accounts: AccountDirectory;
  readonly verifyToken: ReturnType<typeof rememberVerified>;
  readonly fresh: FreshClients;
  readonly mayUseApi: (account: Account) => boolean;
  readonly environmentReach: EnvironmentReach;
  readonly inactiveChildren: InactiveChildren;
  /** Counts a call of a client whose token is valid. */
  readonly takeCall: TakeLimit | undefined;
  readonly clock: Clock;
}

const scheme = /^bearer(?: +|$)/i;

/** What a genuine token is found in; its form is looked at where it is verified. */
const readBearer = (headers: HttpHeaders): Result<string, HttpFailure> => {
  if (repeatsAuthorization(headers)) return err({ code: 'repeated_token' });
  const value = singleHeader(headers, 'authorization');
  const found = scheme.exec(value ?? '')?.[0];
  if (value !== undefined && found !== undefined) return ok(value.slice(found.length));
  // One header, one scheme, one token (RFC 6750 §2.1). Without a token of the right scheme nothing is said about tokens (§3.1).
  return err({
    code: value === undefined && headers['authorization'] !== undefined ? 'invalid_token' : 'missing_token',
  });
};

/** What a port says is not relied upon: a time that is no number would never be in the past. */
const isCurrent = ({ issuedAt, expiresAt }: TokenClaims, clock: Clock): boolean =>
  Number.isSafeInteger(issuedAt) && Number.isSafeInteger(expiresAt) && expiresAt > toSeconds(clock.now());

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

const isAlive = (client: Client, { clientId, accountId, secretId, issuedAt }: TokenClaims): boolean => {
  const secret = client.secrets.find(({ id }) => id === secretId);
  const same = client.id === clientId && client.accountId === accountId;
  return same && !client.disabled && secret !== undefined && !secret.revoked && client.tokensNotBefore <= issuedAt;
};

/**
 * Authenticates a request and applies the scoping rules (specification §1.1 to §1.3, §5.1). An account out of reach and one
 * that does not exist are the same `not_found`.
 * @internal
 */
export const createCallerCheck = ({
  accounts,
  verifyToken,
  fresh,
  mayUseApi,
  environmentReach,
  inactiveChildren,
  takeCall,
  clock,
}: CallerDeps) => {
  /** What the ports know: who shows a token that is good now, that client's own account, and the one that is asked for, if it is reached. */
  const lookUp = async (token: string, accountId: string) => {
    const claims = await verifyToken(token);
    if (!claims || !isCurrent(claims, clock)) return undefined;
    // Both are asked at once; but to wait for both at once would take longer than two answers from memory do.
    const asked = [fresh.client(claims.clientId), fresh.isTokenRevoked(claims.jti)] as const;
    const [client, revoked] = [await asked[0], await asked[1]];
    if (!client || revoked || !isAlive(client, claims)) return undefined;
    const own = await lookUpAccount(accounts, client.accountId);
    if (own?.environment !== claims.environment) return undefined;
    const target = own.id === accountId ? own : await lookUpReached(accounts, own, accountId, environmentReach);
    return { client, own, target, scope: claims.scope };
  };

  const mayDo = (method: string, target: Account): boolean =>
    inactiveChildren === 'writable' || isRead(method) || mayUseApi(target) === true;

  return async (
    { method, headers }: Pick<RequestHead, 'method' | 'headers'>,
    accountId: string,
  ): Promise<Result<Reached, HttpFailure>> => {
    const token = readBearer(headers);
    if (token.isErr()) return err(token.error);
    const found = await outcomeOf(() => lookUp(token.value, accountId));
    if (found.isErr()) return err(found.error);
    if (!found.value) return err({ code: 'invalid_token' });
    const { client, own, target, scope } = found.value;
    if (!hasRequiredScope(scope)) return err({ code: 'insufficient_scope' });
    if (takeCall) {
      const taken = await takeCall(client.id);
      if (taken.isErr()) return err(taken.error);
    }
    if (mayUseApi(own) !== true) return err({ code: 'account_not_active' });
    if (!target) return err({ code: 'not_found' });
    if (!mayDo(method, target)) return err({ code: 'account_not_active' });
    return ok({ client, account: target, scope });
  };
};
