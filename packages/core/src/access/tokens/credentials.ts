import type { ResultAsync } from 'neverthrow';
import { equalInConstantTime } from '../../base/crypto/equal.ts';
import { callPort, type Unavailable } from '../../base/runtime/call-port.ts';
import { isId } from '../../base/runtime/id.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { Client, ClientSecret, LoginRefusal } from '../clients/client.ts';
import { isClientId } from '../clients/client-id.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { digestSecret, hasOurForm, noDigest, secretIdOf } from '../clients/secret.ts';
import type { LegacyCheck } from './legacy.ts';

/** An authenticated client. @internal */
export interface Authenticated {
  /** The client. */
  readonly client: Client;
  /** The secret of the login. */
  readonly secret: ClientSecret;
  /** The digest to store in place of `legacySecrets`. Absent: none. */
  readonly digest?: string;
}

/** Whether clients of another system can log in. @internal */
export interface ImportedLogins {
  /** With ids and secrets of other forms. */
  readonly acceptsImported: boolean;
  /** Verifies secrets that only another system can verify. */
  readonly legacySecrets?: LegacyCheck | undefined;
}

/** How a login is checked. */
interface LoginCheck extends ImportedLogins {
  /** Whether the limits of failed logins allow a call of `legacySecrets`. */
  readonly mayAskLegacy: boolean;
}

/** An id and a secret, as a request names them. @internal */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Maximum number of imported secrets of a client that are compared. */
const maxCompared = 5;

/** The secret with a digest. The number of comparisons does not depend on the client. */
const findImported = (client: Client | undefined, digest: string): ClientSecret | undefined => {
  const imported = client?.secrets.filter(({ origin }) => origin === 'imported') ?? [];
  let found: ClientSecret | undefined;
  for (let place = 0; place < maxCompared; place++)
    if (equalInConstantTime(digest, imported[place]?.digest ?? noDigest)) found = imported[place];
  return found;
};

/** A secret of our form: found by its id. One of another form: by its digest, or by `legacySecrets`. */
const findSecret = async (
  client: Client | undefined,
  { clientId, clientSecret }: Credentials,
  secretId: string | undefined,
  { acceptsImported, legacySecrets, mayAskLegacy }: LoginCheck,
): Promise<Omit<Authenticated, 'client'> | undefined> => {
  const digest = digestSecret(clientSecret);
  if (secretId !== undefined || !acceptsImported) {
    const secret = client?.secrets.find(({ id, origin }) => id === secretId && origin === undefined);
    return equalInConstantTime(digest, secret?.digest ?? noDigest) && secret ? { secret } : undefined;
  }
  const imported = findImported(client, digest);
  if (imported) return { secret: imported };
  // Asked for unknown clients too: the time of an answer must not reveal them.
  if (!legacySecrets || !(await legacySecrets.verify(clientId, clientSecret, mayAskLegacy))) return undefined;
  const secret = client?.secrets.find(({ origin }) => origin === 'legacy');
  return secret && { secret, ...(legacySecrets.storeDigest ? { digest } : {}) };
};

const authenticate = async (
  store: ClientStore,
  credentials: Credentials,
  now: EpochMs,
  check: LoginCheck,
): Promise<Authenticated | LoginRefusal> => {
  const { clientId, clientSecret } = credentials;
  const secretId = secretIdOf(clientSecret);
  const isWellFormed = check.acceptsImported
    ? isClientId(clientId) && (secretId !== undefined || !hasOurForm(clientSecret))
    : isId(clientId) && secretId !== undefined;
  const client = isWellFormed ? await store.findClient(clientId) : undefined;
  const acceptsImported = check.acceptsImported && isWellFormed;
  const found = await findSecret(client, credentials, secretId, { ...check, acceptsImported });
  if (!isWellFormed) return 'malformed_secret';
  if (!client || !found || client.id !== clientId) return 'wrong_secret';
  const { secret } = found;
  if (secret.revoked) return 'revoked_secret';
  if ((secret.expiresAt ?? Infinity) <= now) return 'expired_secret';
  return client.disabled ? 'disabled' : { client, ...found };
};

/**
 * Checks a client id and secret, or the second of two ways to read them; returns why they are refused, which nobody but
 * the account of the client may learn. Every failure of a secret of one form costs the same hashes and comparisons;
 * each well-formed pair costs one read of the store.
 * @internal
 */
export const authenticateClient = (
  store: ClientStore,
  { literal, ...read }: Credentials & { readonly literal?: Credentials | undefined },
  now: EpochMs,
  check: LoginCheck,
): ResultAsync<Authenticated | LoginRefusal, Unavailable> =>
  callPort(async () => {
    const first = await authenticate(store, read, now, check);
    // No id and no secret of ours has a character that form-encoding changes.
    if (typeof first !== 'string' || !literal || !check.acceptsImported) return first;
    const second = await authenticate(store, literal, now, check);
    return second === 'wrong_secret' || second === 'malformed_secret' ? first : second;
  });
