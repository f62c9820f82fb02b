import { err, type Result } from '#result';
import type { Auditor } from '../../base/audit/auditor.ts';
import { tryCall } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { toSeconds } from '../../base/runtime/time.ts';
import type { Observer } from '../../base/signals/listener.ts';
import { clientAudit } from '../clients/client-audit.ts';
import type { ClientCache } from '../clients/client-cache.ts';
import type { ClientStore } from '../clients/client-store.ts';
import {
  type AuthenticationFailure,
  type ClientAuthentication,
  type ClientAuthenticator,
  loginUnavailable,
} from './authenticate.ts';
import type { VerifiedClaims } from './verified-tokens.ts';

/** The parameters of a revocation (RFC 7009 §2.1). */
export interface RevocationRequest extends ClientAuthentication {
  /** The access token. */
  readonly token: string;
}

export interface RevocationDeps {
  readonly authentication: ClientAuthenticator;
  readonly clients: Pick<ClientStore, 'revokeToken'>;
  /** Cached tokens of this process: every change goes through it. */
  readonly cache: Pick<ClientCache, 'runChange'>;
  readonly verifyToken: (token: string) => VerifiedClaims | Promise<VerifiedClaims | undefined>;
  readonly clock: Clock;
  /** Makes entries of the audit trail. */
  readonly auditor: Pick<Auditor, 'entry'>;
  readonly observe: Observer;
}

/**
 * Revokes an access token for the client that it was issued to (RFC 7009). A token that is unknown, expired or of
 * another client is no error (§2.2), and stays as it is.
 */
export const createRevocation = (deps: RevocationDeps) => {
  const { authentication, clients, cache, verifyToken, clock, observe } = deps;
  const audit = clientAudit(deps.auditor);
  return async (
    request: RevocationRequest,
    address: string | undefined,
  ): Promise<Result<undefined, AuthenticationFailure>> => {
    const admitted = await authentication.authenticate(request, address);
    if (admitted.isErr()) return err(admitted.error);
    const { authenticated, refund } = admitted.value;
    const { id: clientId, accountId } = authenticated.client;
    await refund();
    const revoked = await tryCall(async () => {
      const claims = await verifyToken(request.token);
      if (claims?.clientId !== clientId || claims.expiresAt <= toSeconds(clock.now())) return;
      const by = { type: 'client', id: clientId } as const;
      const entry = audit('token_revoked', { id: clientId, accountId }, { actor: by });
      await cache.runChange(claims.jti, () => clients.revokeToken(claims.jti, claims.expiresAt, entry));
      observe({ kind: 'client', change: 'token_revoked', accountId, clientId, by });
    });
    return revoked.map(() => undefined).mapErr(loginUnavailable);
  };
};
