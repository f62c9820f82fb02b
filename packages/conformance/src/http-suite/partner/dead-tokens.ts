import type { Clients, NewClientSecret } from '@partnerkit/core';
import type { TokenClaims } from '@partnerkit/core/adapter';
import { addKey, must, nobody } from '../support/keys.ts';

/** The dependencies for making tokens. */
export interface TokenMaker {
  readonly clients: Clients;
  /** The claims of an accepted token. */
  readonly good: TokenClaims;
  readonly issue: (claims: TokenClaims) => Promise<string>;
}

/** A token of a new client, with changed claims, or issued before something happens to the client. */
const issued =
  (
    accountId: string,
    change: Partial<TokenClaims>,
    spoil: (clients: Clients, key: NewClientSecret, token: string) => Promise<void> = async () => undefined,
  ) =>
  async ({ clients, good, issue }: TokenMaker): Promise<string> => {
    const key = await addKey(clients, accountId);
    const clientId = key.client.id;
    const token = await issue({ ...good, clientId, accountId, secretId: key.secretId, jti: clientId, ...change });
    await spoil(clients, key, token);
    return token;
  };

/** Issued tokens that are refused, by the reason. */
export const deadTokens: Readonly<Record<string, (maker: TokenMaker) => Promise<string>>> = {
  'an expired token': ({ good, issue }) => issue({ ...good, jti: 'expired', expiresAt: good.issuedAt + 1 }),
  'a token that was revoked': issued('org_main', {}, (clients, _key, token) =>
    must(clients.revokeToken('org_main', token)),
  ),
  'a token issued before all tokens were revoked': issued('org_main', {}, (clients, { client }) =>
    must(clients.revokeTokens('org_main', client.id)),
  ),
  'a token of a disabled client': issued('org_main', {}, (clients, { client }) =>
    must(clients.disable('org_main', client.id)),
  ),
  'a token of a revoked secret': issued('org_main', {}, (clients, { client, secretId }) =>
    must(clients.revokeSecret('org_main', client.id, secretId)),
  ),
  'a token of an unknown client': issued('org_main', { clientId: nobody }),
  'a token of a client that was deleted': issued('org_main', {}, (clients, { client }) =>
    must(clients.delete('org_main', client.id)),
  ),
  'a token of an account that was deleted': issued('org_gone', {}),
  'a token of another environment': issued('org_main', { environment: 'dev' }),
  'a token for an account that is not its client’s': issued('org_main', { accountId: 'org_child' }),
};
