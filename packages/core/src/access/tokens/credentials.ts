import type { ResultAsync } from '#result';
import { equalInConstantTime } from '../../base/crypto/equal.ts';
import { callPort, type Unavailable } from '../../base/runtime/call-port.ts';
import { isId } from '../../base/runtime/id.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { Client, ClientSecret, LoginRefusal } from '../clients/client.ts';
import { isClientId } from '../clients/client-id.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { canIssue } from '../clients/limits.ts';
import { digestSecret, hasOurForm, noDigest, secretIdOf } from '../clients/secret.ts';
import type { LegacyCheck } from './legacy.ts';

/** An authenticated client. */
export interface Authenticated {
  readonly client: Client;
  /** The secret of the login. Absent: a public key verified it. */
  readonly secret?: ClientSecret;
  /** Thumbprint of the public key that verified the login. Absent: it had a secret. */
  readonly thumbprint?: string;
  /** The digest to store in place of `legacySecrets`. Absent: none. */
  readonly digest?: string;
}

/** The secret of a login, before the client is checked. */
type FoundSecret = Pick<Authenticated, 'digest'> & { readonly secret: ClientSecret };

/** Why credentials are refused. Nobody but the account of the client may learn the reason. */
export interface Refused {
  readonly reason: LoginRefusal;
  /** The client of the id that was sent. Absent: there is none, and the text may be a secret in its place. */
  readonly clientId?: string;
}

/** Whether clients of another system can log in. */
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
  /** Whether a client may log in from the address of the request. */
  readonly mayCallFrom: (client: Client) => boolean;
}

/** An id and a secret, as a request names them. */
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

/** Credentials, and what the store has for them. */
interface LookedUp {
  readonly credentials: Credentials;
  /** Their ids can exist: the store was read. */
  readonly isWellFormed: boolean;
  readonly client: Client | undefined;
  /** The secret with their digest: one of our form is found by its id. */
  readonly found: ClientSecret | undefined;
  readonly digest: string;
  /** Whether `legacySecrets` may know them. */
  readonly mayBeLegacy: boolean;
}

const lookUp = async (
  store: ClientStore,
  credentials: Credentials,
  { acceptsImported }: LoginCheck,
): Promise<LookedUp> => {
  const { clientId, clientSecret } = credentials;
  const secretId = secretIdOf(clientSecret);
  const isWellFormed = acceptsImported
    ? isClientId(clientId) && (secretId !== undefined || !hasOurForm(clientSecret))
    : isId(clientId) && secretId !== undefined;
  const client = isWellFormed ? await store.findClient(clientId) : undefined;
  const digest = digestSecret(clientSecret);
  const mayBeLegacy = acceptsImported && isWellFormed && secretId === undefined;
  if (mayBeLegacy)
    return { credentials, isWellFormed, client, found: findImported(client, digest), digest, mayBeLegacy };
  const secret = client?.secrets.find(({ id, origin }) => id === secretId && origin === undefined);
  const found = equalInConstantTime(digest, secret?.digest ?? noDigest) ? secret : undefined;
  return { credentials, isWellFormed, client, found, digest, mayBeLegacy };
};

/** Why a client with the right credentials may not log in now, whatever these are. `undefined`: it may. */
export const closedReason = (
  client: Client,
  now: EpochMs,
  { mayCallFrom }: Pick<LoginCheck, 'mayCallFrom'>,
): LoginRefusal | undefined => {
  if (client.disabled) return 'disabled';
  if (!canIssue(client, now)) return 'expired';
  return mayCallFrom(client) ? undefined : 'address_not_allowed';
};

/** The outcome for credentials whose secret is `found`. */
const decide = (
  { credentials, isWellFormed, client }: LookedUp,
  found: FoundSecret | undefined,
  now: EpochMs,
  check: Pick<LoginCheck, 'mayCallFrom'>,
): Authenticated | Refused => {
  if (!isWellFormed) return { reason: 'malformed_secret' };
  if (client?.id !== credentials.clientId) return { reason: 'wrong_secret' };
  const refused = (reason: LoginRefusal): Refused => ({ reason, clientId: client.id });
  if (!found) return refused('wrong_secret');
  if (found.secret.revoked) return refused('revoked_secret');
  if ((found.secret.expiresAt ?? Infinity) <= now) return refused('expired_secret');
  const closed = closedReason(client, now, check);
  return closed === undefined ? { client, ...found } : refused(closed);
};

/** Asks `legacySecrets`, for unknown clients too: the time of an answer must not reveal them. */
const findLegacy = async (
  { credentials: { clientId, clientSecret }, client, digest, mayBeLegacy }: LookedUp,
  { legacySecrets, mayAskLegacy }: LoginCheck,
): Promise<FoundSecret | undefined> => {
  if (!mayBeLegacy || !legacySecrets || !(await legacySecrets.verify(clientId, clientSecret, mayAskLegacy)))
    return undefined;
  const secret = client?.secrets.find(({ origin }) => origin === 'legacy');
  return secret && { secret, ...(legacySecrets.storeDigest ? { digest } : {}) };
};

/**
 * Checks a client id and secret, or the second of two ways to read them. The digests of both are compared before
 * `legacySecrets` is asked for either. Every failure of a secret of one form costs the same hashes and comparisons.
 * Each well-formed pair costs one read of the store.
 */
export const authenticateClient = (
  store: ClientStore,
  { literal, ...read }: Credentials & { readonly literal?: Credentials | undefined },
  now: EpochMs,
  check: LoginCheck,
): ResultAsync<Authenticated | Refused, Unavailable> =>
  callPort(async () => {
    // No id and no secret of ours has a character that form-encoding changes.
    const ways = literal && check.acceptsImported ? [read, literal] : [read];
    const unknown: LookedUp[] = [];
    const refusals: Refused[] = [];
    for (const way of ways) {
      const looked = await lookUp(store, way, check);
      const outcome = decide(looked, looked.found && { secret: looked.found }, now, check);
      if ('client' in outcome) return outcome;
      if (looked.found) refusals.push(outcome);
      else unknown.push(looked);
    }
    for (const looked of unknown) {
      const outcome = decide(looked, await findLegacy(looked, check), now, check);
      if ('client' in outcome) return outcome;
      refusals.push(outcome);
    }
    const named = refusals.filter(({ clientId }) => clientId !== undefined);
    return (
      named.find(({ reason }) => reason !== 'wrong_secret') ?? named[0] ?? refusals[0] ?? { reason: 'wrong_secret' }
    );
  });
