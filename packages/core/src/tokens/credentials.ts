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
 * Checks a client id and secret. For every well-formed secret the same work is done (one store read, the same hashes, one
 * comparison), whether the client is unknown, the secret wrong, or either one disabled, revoked or expired.
 * @internal
 */
export const authenticateClient = (
  store: ClientStore,
  credentials: { readonly clientId: string; readonly clientSecret: string },
  now: EpochMs,
): ResultAsync<Authenticated | undefined, Unavailable> =>
  ask(async () => {
    const secretId = secretIdOf(credentials.clientSecret);
    if (secretId === undefined) return undefined;
    const client = isId(credentials.clientId) ? await store.findClient(credentials.clientId) : undefined;
    const secret = client?.secrets.find(({ id }) => id === secretId);
    const genuine = equalInConstantTime(digestSecret(credentials.clientSecret), secret?.digest ?? noDigest);
    if (!genuine || !client || !secret || client.id !== credentials.clientId) return undefined;
    const alive = !client.disabled && !secret.revoked && (secret.expiresAt ?? Infinity) > now;
    return alive ? { client, secret } : undefined;
  });
