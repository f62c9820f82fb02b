import { z } from 'zod';
import { err, errAsync, ok, okAsync, type Result } from '#result';
import type { Client, ClientSecret } from '../../access/clients/client.ts';
import { clientAudit } from '../../access/clients/client-audit.ts';
import type { ClientCache } from '../../access/clients/client-cache.ts';
import { clientFields } from '../../access/clients/client-fields.ts';
import type { ClientStore } from '../../access/clients/client-store.ts';
import type { ClientInput } from '../../access/clients/clients.ts';
import { consistent, possible } from '../../access/clients/limits.ts';
import {
  digestSecret,
  emptyDigest,
  hasOurForm,
  importedSecretId,
  isSecretId,
  noDigest,
  secretIdOf,
} from '../../access/clients/secret.ts';
import type { CheckKnownAccount } from '../../base/accounts/known-account.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import { shapeOf } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { callPort } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { once } from '../../base/runtime/once.ts';
import { readInput } from '../../base/runtime/read-input.ts';
import { isTrimmed } from '../../base/runtime/text.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { hostActor } from '../../base/signals/change-options.ts';
import type { Observer } from '../../base/signals/listener.ts';
import { exportedClient } from './exported-client.ts';
import { type ImportRow, importRows } from './import-report.ts';
import { rehearseClients } from './rehearse.ts';
import { accountId, clientId, createdAt } from './row-fields.ts';

/**
 * A secret of an imported client.
 * @public
 */
export type ImportedSecret =
  | {
      /** The secret itself: one of partnerkit, or a random text of another form. Only its SHA-256 is stored. */
      readonly text: string;
    }
  | {
      /** The SHA-256 of the UTF-8 bytes of the whole secret, without salt: 64 hex digits. */
      readonly sha256: string;
      /** The id of a secret that partnerkit made, as `kit.export` writes it. Absent: a secret of another form. */
      readonly id?: string | undefined;
    }
  | {
      /** `imported.legacySecrets` verifies it: a digest of bcrypt, scrypt or argon2, or one with a salt. */
      readonly legacy: true;
    };

/**
 * A client of another system.
 * @public
 */
export interface ClientRow extends ClientInput {
  /** The account that the client belongs to. */
  readonly accountId: string;
  /** Its `client_id`: 1 to 128 visible ASCII characters, and blanks between them. */
  readonly id: string;
  /** One to five secrets, of which at most one is `legacy`. None, if it has `jwks`. */
  readonly secrets: readonly ImportedSecret[];
  /** Whether its logins and tokens are refused. @defaultValue false */
  readonly disabled?: boolean;
  /** When it was made, in milliseconds since 1970. @defaultValue now */
  readonly createdAt?: EpochMs;
}

const invisible = 'white space or a byte order mark at an end: remove it, or import the SHA-256 if partners send it.';
const misspelt = 'a secret of partnerkit with a typing error: its checksum is wrong.';
const secretRule = '{ text } of 16 to 512 characters, { sha256 } of 64 hex digits, or { legacy: true }.';
const secret = once(() =>
  z.union(
    [
      z.strictObject({
        text: z
          .string(secretRule)
          .min(16, secretRule)
          .max(512, secretRule)
          .refine(isTrimmed, invisible)
          .refine((text) => !hasOurForm(text) || secretIdOf(text) !== undefined, misspelt),
      }),
      z.strictObject({
        sha256: z
          .string(secretRule)
          .regex(/^[0-9A-Fa-f]{64}$/, secretRule)
          .refine((digest) => digest !== noDigest, 'zeros are no digest: a legacy secret is { legacy: true }.')
          .refine(
            (digest) => digest.toLowerCase() !== emptyDigest,
            'the digest of an empty text: hash the secret itself.',
          ),
        id: z.string().refine(isSecretId, 'as partnerkit made it: 12 letters and digits.').optional(),
      }),
      z.strictObject({ legacy: z.literal(true, secretRule) }),
    ],
    secretRule,
  ),
);

const clientRow = once(() =>
  z
    .strictObject({
      ...shapeOf(clientFields(), 'created'),
      accountId: accountId(),
      id: clientId(),
      secrets: z
        .array(secret())
        .max(5, 'one to five secrets.')
        .refine((all) => all.filter((each) => 'legacy' in each).length <= 1, 'at most one is legacy.'),
      disabled: z.boolean().default(false),
      createdAt: createdAt(),
    })
    .refine(({ secrets, jwks }) => secrets.length > 0 || jwks !== undefined, {
      error: 'one to five secrets.',
      path: ['secrets'],
    }),
);

type Row = z.output<ReturnType<typeof clientRow>>;

const storedSecret = (clientId: string, given: ImportedSecret, createdAt: EpochMs): ClientSecret => {
  const stored = { createdAt, revoked: false };
  if ('legacy' in given)
    return { ...stored, id: importedSecretId(clientId, noDigest), digest: noDigest, origin: 'legacy' };
  const own = 'text' in given ? secretIdOf(given.text) : given.id;
  const digest = 'text' in given ? digestSecret(given.text) : given.sha256.toLowerCase();
  const id = importedSecretId(clientId, digest);
  // The id that an import made is not that of a secret of our form.
  if (own !== undefined && own !== id) return { ...stored, id: own, digest };
  return { ...stored, id, digest, origin: 'imported' };
};

const clientOf = ({ secrets, createdAt, ...row }: Row, now: EpochMs): Client => ({
  ...present(row),
  createdAt: createdAt ?? now,
  secrets: [
    ...new Map(
      secrets.map((each) => storedSecret(row.id, each, createdAt ?? now)).map((each) => [each.id, each]),
    ).values(),
  ],
  tokensNotBefore: 0,
  version: 1,
});

/** What an import decides: what a login changes meanwhile does not count. */
const contentOf = ({ secrets, ...client }: Client): string =>
  JSON.stringify([
    Object.keys(shapeOf(clientFields(), 'created')).map((name) => client[name as keyof typeof client]),
    client.disabled,
    secrets
      .filter(({ revoked }) => !revoked)
      .map(({ id }) => id)
      .toSorted(),
  ]);

export interface ImportClientsDeps {
  readonly store: Pick<ClientStore, 'findClient' | 'insertClient'>;
  readonly cache: Pick<ClientCache, 'runChange'>;
  readonly checkKnownAccount: CheckKnownAccount;
  readonly clock: Clock;
  /** Makes entries of the audit trail. */
  readonly auditor: Pick<Auditor, 'entry'>;
  readonly observe: Observer;
  /** Whether the address of a caller is known (`api.trustRemoteAddress`). */
  readonly trustsAddresses: boolean;
  /** Whether clients with ids and secrets of other forms can log in, and whether legacy ones can be verified. */
  readonly logins: {
    readonly acceptsImported: boolean;
    readonly hasLegacySecrets: boolean;
    /** Whether signatures of clients can be verified. */
    readonly verifiesAssertions: boolean;
  };
}

/** Where clients are stored and announced. */
type Target = Pick<ImportClientsDeps, 'store' | 'cache' | 'observe'>;

/** A client that could never log in is refused. */
const usable = (
  client: Client,
  { logins: { acceptsImported, hasLegacySecrets, verifiesAssertions }, trustsAddresses }: ImportClientsDeps,
): Result<Client, InvalidInput> => {
  if (!acceptsImported) return err(invalidField('', 'set the option imported.clients: true first.'));
  if (client.jwks && !verifiesAssertions)
    return err(invalidField('jwks', 'the option tokens needs verifyAssertion and an issuer first.'));
  const needsLegacy = client.secrets.some(({ origin }) => origin === 'legacy');
  return needsLegacy && !hasLegacySecrets
    ? err(invalidField('secrets', 'set the option imported.legacySecrets first: nothing could verify this one.'))
    : possible(client, { now: 0, trustsAddresses }).andThen(consistent);
};

export const createImportClients = (deps: ImportClientsDeps) => {
  const { checkKnownAccount, clock } = deps;
  const audit = clientAudit(deps.auditor);
  const compare = (stored: Client, wanted: Client): ReturnType<ImportRow> => {
    if (stored.accountId !== wanted.accountId) return errAsync(invalidField('id', 'another account has this client.'));
    const outcome = contentOf(stored) === contentOf(wanted) ? 'unchanged' : 'differs';
    return okAsync({ id: stored.id, outcome });
  };
  const insert = (client: Client, { store, cache, observe }: Target): ReturnType<ImportRow> =>
    callPort(async () => {
      try {
        await cache.runChange(client.id, () =>
          store.insertClient(client, audit('imported', client, { actor: hostActor })),
        );
        return undefined;
      } catch (cause) {
        // A call that was repeated, or another process, has stored it meanwhile.
        const stored = await store.findClient(client.id);
        if (!stored) throw cause;
        return stored;
      }
    }).andThen((stored) => {
      if (stored) return compare(stored, client);
      observe({
        kind: 'client',
        change: 'imported',
        accountId: client.accountId,
        clientId: client.id,
        by: hostActor,
      });
      return ok({ id: client.id, outcome: 'created' as const });
    });

  const read = (input: unknown): Result<Client, InvalidInput> =>
    isObject(input) && input['kind'] === 'client'
      ? readInput(exportedClient(), input)
      : readInput(clientRow(), input).map((row) => clientOf(row, clock.now()));

  const importInto =
    (target: Target): ImportRow =>
    (input) =>
      read(input)
        .andThen((client) => usable(client, deps))
        .asyncAndThen((wanted) =>
          callPort(() => target.store.findClient(wanted.id)).andThen((stored): ReturnType<ImportRow> => {
            if (stored) return compare(stored, wanted);
            return checkKnownAccount(wanted.accountId).andThen(() => insert(wanted, target));
          }),
        );
  const rehearsal = (): Target => ({
    store: rehearseClients(deps.store),
    cache: { runChange: (_id, change) => change() },
    observe: () => undefined,
  });
  return importRows('import.clients', (isDryRun) => importInto(isDryRun ? rehearsal() : deps));
};
