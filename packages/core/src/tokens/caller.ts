import { err, errAsync, ok, okAsync, type Result, ResultAsync } from 'neverthrow';
import type { Account, AccountDirectory } from '../accounts/account.ts';
import { findAccount } from '../accounts/find-account.ts';
import { reaches } from '../accounts/reach.ts';
import { type ClientView, viewClient } from '../clients/client.ts';
import type { HttpFailure } from '../http/failure.ts';
import { type HttpHeaders, singleHeader } from '../http/route.ts';
import type { Clock } from '../runtime/clock.ts';
import { toSeconds } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import type { TokenClaims } from './access-tokens.ts';
import type { FreshClients } from './fresh-clients.ts';

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

/** @internal */
export interface CallerDeps {
  readonly accounts: AccountDirectory;
  readonly verifyToken: (token: string) => Promise<TokenClaims | undefined>;
  readonly fresh: FreshClients;
  readonly mayUseApi: (account: Account) => boolean;
  readonly clock: Clock;
}

const readBearer = (headers: HttpHeaders): Result<string, HttpFailure> => {
  // Without a token of the right scheme nothing is said about tokens (RFC 6750 §3.1).
  const value = singleHeader(headers, 'authorization');
  if (headers['authorization'] === undefined || (value !== undefined && !/^bearer( |$)/i.test(value))) {
    return err({ code: 'missing_token' });
  }
  // One header, one scheme, one token (RFC 6750 §2.1).
  const match = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(value ?? '');
  return match?.[1] ? ok(match[1]) : err({ code: 'invalid_token' });
};

/**
 * Authenticates a request and applies the scoping rules (specification §1.1 to §1.3, §5.1). An account out of reach and one
 * that does not exist are the same `not_found`.
 * @internal
 */
export const createCallerCheck = ({ accounts, verifyToken, fresh, mayUseApi, clock }: CallerDeps) => {
  const findClient = (claims: TokenClaims) =>
    ResultAsync.combine([ask(() => fresh.client(claims.clientId)), ask(() => fresh.isTokenRevoked(claims.jti))]).map(
      ([client, revoked]) => {
        const secret = client?.secrets.find(({ id }) => id === claims.secretId);
        const alive =
          !revoked &&
          client &&
          !client.disabled &&
          secret &&
          !secret.revoked &&
          client.tokensNotBefore <= claims.issuedAt;
        return alive && client.id === claims.clientId && client.accountId === claims.accountId ? client : undefined;
      },
    );

  const findTarget = (own: Account, accountId: string) =>
    own.id === accountId ? okAsync(own) : findAccount(accounts, accountId);

  return (headers: HttpHeaders, accountId: string): ResultAsync<Caller, HttpFailure> =>
    readBearer(headers).asyncAndThen((token) =>
      ask(() => verifyToken(token)).andThen((claims): ResultAsync<Caller, HttpFailure> => {
        if (!claims || claims.expiresAt <= toSeconds(clock.now())) return errAsync({ code: 'invalid_token' });
        return findClient(claims).andThen((client): ResultAsync<Caller, HttpFailure> => {
          if (!client) return errAsync({ code: 'invalid_token' });
          return findAccount(accounts, client.accountId).andThen((own): ResultAsync<Caller, HttpFailure> => {
            if (own?.environment !== claims.environment) return errAsync({ code: 'invalid_token' });
            if (mayUseApi(own) !== true) return errAsync({ code: 'account_not_active' });
            return findTarget(own, accountId).andThen(
              (account): ResultAsync<Caller, HttpFailure> =>
                account && reaches(own, account)
                  ? okAsync({ client: viewClient(client), account, scope: claims.scope })
                  : errAsync({ code: 'not_found' }),
            );
          });
        });
      }),
    );
};
