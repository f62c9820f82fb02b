import type { ResultAsync } from 'neverthrow';
import type { Client, ClientSecret } from '../clients/client.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { digestSecret, noDigest, secretIdOf } from '../clients/secret.ts';
import { equalInConstantTime } from '../crypto/equal.ts';
import { isId } from '../runtime/id.ts';
import type { EpochMs } from '../runtime/time.ts';
import { ask, type Unavailable } from '../runtime/unavailable.ts';

/** A client that proved to be who it is. @internal */
export interface Authenticated {
  readonly client: Client;
  readonly secret: ClientSecret;
}

/**
 * Checks a client id and secret. The same hashes and one comparison are done whatever is wrong with them; the store is read
 * once for every well-formed pair.
 * @internal
 */
export const authenticateClient = (
  store: ClientStore,
  credentials: { readonly clientId: string; readonly clientSecret: string },
  now: EpochMs,
): ResultAsync<Authenticated | undefined, Unavailable> =>
  ask(async () => {
    const secretId = secretIdOf(credentials.clientSecret);
    const asked = secretId !== undefined && isId(credentials.clientId);
    const client = asked ? await store.findClient(credentials.clientId) : undefined;
    const secret = client?.secrets.find(({ id }) => id === secretId);
    const genuine = equalInConstantTime(digestSecret(credentials.clientSecret), secret?.digest ?? noDigest);
    if (!genuine || !client || !secret || client.id !== credentials.clientId) return undefined;
    const alive = !client.disabled && !secret.revoked && (secret.expiresAt ?? Infinity) > now;
    return alive ? { client, secret } : undefined;
  });
