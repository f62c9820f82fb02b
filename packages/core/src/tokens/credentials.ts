import type { ResultAsync } from 'neverthrow';
import type { Client, ClientSecret } from '../clients/client.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { digestSecret, noDigest, secretIdOf } from '../clients/secret.ts';
import { equalInConstantTime } from '../crypto/equal.ts';
import { callPort, type Unavailable } from '../runtime/call-port.ts';
import { isId } from '../runtime/id.ts';
import type { EpochMs } from '../runtime/time.ts';

/** An authenticated client. @internal */
export interface Authenticated {
  /** The client. */
  readonly client: Client;
  /** The secret of the login. */
  readonly secret: ClientSecret;
}

/**
 * Checks a client id and secret. Every failure costs the same hashes and one comparison; each well-formed pair costs
 * one read of the store.
 * @internal
 */
export const authenticateClient = (
  store: ClientStore,
  credentials: { readonly clientId: string; readonly clientSecret: string },
  now: EpochMs,
): ResultAsync<Authenticated | undefined, Unavailable> =>
  callPort(async () => {
    const secretId = secretIdOf(credentials.clientSecret);
    const isWellFormed = secretId !== undefined && isId(credentials.clientId);
    const client = isWellFormed ? await store.findClient(credentials.clientId) : undefined;
    const secret = client?.secrets.find(({ id }) => id === secretId);
    const genuine = equalInConstantTime(digestSecret(credentials.clientSecret), secret?.digest ?? noDigest);
    if (!genuine || !client || !secret || client.id !== credentials.clientId) return undefined;
    const isActive = !client.disabled && !secret.revoked && (secret.expiresAt ?? Infinity) > now;
    return isActive ? { client, secret } : undefined;
  });
