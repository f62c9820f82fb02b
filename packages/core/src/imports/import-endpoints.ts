import { err, errAsync, ok, okAsync, type Result } from 'neverthrow';
import { z } from 'zod';
import type { CheckKnownAccount } from '../accounts/known-account.ts';
import type { EventPairs } from '../catalogue/pairs.ts';
import type { SpecifiedPairs } from '../catalogue/specification.ts';
import { sha256 } from '../crypto/sha256.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { createEndpointReader } from '../endpoints/endpoint-input.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { EndpointInput } from '../endpoints/endpoints.ts';
import type { EndpointSealer } from '../endpoints/webhook-secret.ts';
import { callPort } from '../runtime/call-port.ts';
import type { Clock } from '../runtime/clock.ts';
import { failure, type InvalidInput, invalidField } from '../runtime/failure.ts';
import { isObject } from '../runtime/is-object.ts';
import { readInput } from '../runtime/read-input.ts';
import { isIdentifier, utf8Length } from '../runtime/text.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { Observer } from '../signals/listener.ts';
import { secretProblem, type WireProfiles } from '../signature/wire-profile.ts';
import { type ImportRow, importRows } from './import-report.ts';

/**
 * A webhook endpoint of another system.
 * @public
 */
export interface EndpointRow<P extends EventPairs = SpecifiedPairs> extends EndpointInput<P> {
  /** The account that the endpoint belongs to. */
  readonly accountId: string;
  /**
   * Its id in the other system, 1 to 256 bytes. The id in partnerkit, a UUID, is derived from it and the account: the
   * same row is the same endpoint.
   */
  readonly reference: string;
  /** Its webhook secret: a text of 16 to 128 bytes. It is stored sealed. */
  readonly secret: string;
  /** Whether it receives events. @defaultValue 'enabled' */
  readonly state?: 'enabled' | 'disabled';
  /** When it was made, in milliseconds since 1970. @defaultValue now */
  readonly createdAt?: EpochMs;
}

const identifier = z.string().refine(isIdentifier, '1 to 256 bytes of text without control characters.');

const ownFields = z.strictObject({
  accountId: identifier,
  reference: identifier,
  secret: z
    .string()
    .refine(
      (text) => isIdentifier(text) && utf8Length(text) >= 16 && utf8Length(text) <= 128,
      'a text of 16 to 128 bytes.',
    ),
  state: z.enum(['enabled', 'disabled']).default('enabled'),
  createdAt: z.int().min(0).optional(),
});

/** A UUIDv8 (RFC 9562 §5.8) of an account and a reference. */
const endpointIdOf = (accountId: string, reference: string): string => {
  const hex = sha256(JSON.stringify(['endpoint', accountId, reference]));
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** @internal */
export interface ImportEndpointsDeps {
  readonly store: EndpointStore;
  readonly checkKnownAccount: CheckKnownAccount;
  readonly sealer: EndpointSealer;
  readonly reader: ReturnType<typeof createEndpointReader>;
  readonly profiles: Pick<WireProfiles, 'of'>;
  readonly maxPerAccount: number;
  readonly clock: Clock;
  readonly observe: Observer;
}

type Fields =
  ReturnType<ReturnType<typeof createEndpointReader>['created']> extends Result<infer T, unknown> ? T : never;
interface Row {
  readonly own: z.output<typeof ownFields>;
  readonly fields: Fields;
}

const own = ['accountId', 'reference', 'secret', 'state', 'createdAt'];

/** @internal */
export const createImportEndpoints = (deps: ImportEndpointsDeps) => {
  const { store, checkKnownAccount, sealer, reader, profiles, maxPerAccount, clock, observe } = deps;

  const read = (input: unknown): Result<Row, InvalidInput> => {
    if (!isObject(input)) return err(invalidField('', 'an object.'));
    const part = (isOwn: boolean) =>
      Object.fromEntries(Object.entries(input).filter(([name]) => own.includes(name) === isOwn));
    return readInput(ownFields, part(true)).andThen((ours) =>
      reader.created(part(false)).andThen((fields): Result<Row, InvalidInput> => {
        const profile = profiles.of(fields.profile);
        const problem = profile && secretProblem(profile, fields.standardWebhooks, ours.secret);
        return problem === undefined ? ok({ own: ours, fields }) : err(invalidField('secret', problem));
      }),
    );
  };

  const endpointOf = ({ own: { accountId, reference, secret, state, createdAt }, fields }: Row): Endpoint => {
    const { deliveryHeader, label, profile, ...rest } = fields;
    const owner = { accountId, id: endpointIdOf(accountId, reference) };
    const bare: Endpoint = {
      ...owner,
      ...rest,
      state,
      ...(state === 'disabled' ? { disabledBy: 'host' as const } : {}),
      createdAt: createdAt ?? clock.now(),
      secret: sealer.sealSecret(owner, secret),
      version: 1,
      ...(label === undefined ? {} : { label }),
      ...(profile === undefined ? {} : { profile }),
    };
    if (!deliveryHeader) return bare;
    const { name } = deliveryHeader;
    return { ...bare, deliveryHeader: { name, value: sealer.sealDeliveryHeader(bare, deliveryHeader) } };
  };

  /** What an import decides, in clear: a sealed value differs each time. */
  const contentOf = (endpoint: Endpoint): string => {
    const { url, events, state, label, standardWebhooks, includeChildren, profile, deliveryHeader } = endpoint;
    const secret = sealer.openSecret(endpoint, endpoint.secret);
    const header = deliveryHeader && [deliveryHeader.name, sealer.openDeliveryHeader(endpoint, deliveryHeader)];
    return JSON.stringify([url, events, state, label, standardWebhooks, includeChildren, profile, secret, header]);
  };

  const compare = (stored: Endpoint, wanted: Endpoint): ReturnType<ImportRow> =>
    callPort(async () => contentOf(stored) === contentOf(wanted)).map((isSame) => ({
      id: stored.id,
      outcome: isSame ? ('unchanged' as const) : ('differs' as const),
    }));

  const insert = (endpoint: Endpoint): ReturnType<ImportRow> =>
    callPort(async () => {
      try {
        return { isInserted: await store.insertEndpoint(endpoint, maxPerAccount) };
      } catch (cause) {
        // A call that was repeated, or another process, has stored it meanwhile.
        const stored = await store.findEndpoint(endpoint.accountId, endpoint.id);
        if (!stored) throw cause;
        return { stored };
      }
    }).andThen((outcome): ReturnType<ImportRow> => {
      const { accountId, id } = endpoint;
      if ('stored' in outcome && outcome.stored) return compare(outcome.stored, endpoint);
      if (!outcome.isInserted) return errAsync(invalidField('', failure('too_many_endpoints').message));
      observe({ kind: 'endpoint', change: 'imported', accountId, endpointId: id, by: { type: 'host' } });
      return okAsync({ id, outcome: 'created' });
    });

  const importRow: ImportRow = (input, isDryRun) =>
    read(input).asyncAndThen((row) => {
      const wanted = endpointOf(row);
      return callPort(() => store.findEndpoint(wanted.accountId, wanted.id)).andThen(
        (stored): ReturnType<ImportRow> => {
          if (stored) return compare(stored, wanted);
          return checkKnownAccount(wanted.accountId).andThen(
            (): ReturnType<ImportRow> => (isDryRun ? okAsync({ id: wanted.id, outcome: 'created' }) : insert(wanted)),
          );
        },
      );
    });
  return importRows('import.endpoints', importRow);
};
