import { z } from 'zod';
import { err, errAsync, ok, okAsync, type Result } from '#result';
import type { CheckKnownAccount } from '../../base/accounts/known-account.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import { derivedId } from '../../base/crypto/derived-id.ts';
import { isSealed, type Sealed } from '../../base/crypto/seal.ts';
import { present } from '../../base/fields/present.ts';
import { identifier } from '../../base/fields/values.ts';
import { callPort } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { failure, type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { isId } from '../../base/runtime/id.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { once } from '../../base/runtime/once.ts';
import { readInput } from '../../base/runtime/read-input.ts';
import { isIdentifier, isTrimmed, utf8Length } from '../../base/runtime/text.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { hostActor } from '../../base/signals/change-options.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { EventPairs } from '../../webhooks/catalogue/pairs.ts';
import type { Endpoint } from '../../webhooks/endpoints/endpoint.ts';
import { endpointAudit } from '../../webhooks/endpoints/endpoint-audit.ts';
import type { EndpointReader } from '../../webhooks/endpoints/endpoint-input.ts';
import { isPulled } from '../../webhooks/endpoints/endpoint-kind.ts';
import type { EndpointStore } from '../../webhooks/endpoints/endpoint-store.ts';
import type { EndpointInput } from '../../webhooks/endpoints/endpoints.ts';
import type { EndpointSealer } from '../../webhooks/endpoints/webhook-secret.ts';
import { secretProblem, type WireProfiles } from '../../webhooks/signature/wire-profile.ts';
import { type ImportRow, importRows } from './import-report.ts';
import { rehearseEndpoints } from './rehearse.ts';
import { accountId, createdAt } from './row-fields.ts';

/**
 * A webhook endpoint of another system.
 * @public
 */
export interface EndpointRow<P extends EventPairs = EventPairs> extends EndpointInput<P> {
  /** The account that the endpoint belongs to. */
  readonly accountId: string;
  /**
   * Its id in the other system, 1 to 256 bytes. The id in partnerkit, a UUID, is derived from it and the account: the
   * same row is the same endpoint.
   */
  readonly reference: string;
  /** Its webhook secret: a text of 16 to 128 bytes, without white space at an end. It is stored sealed. */
  readonly secret: string;
  /** Whether it receives events. @defaultValue 'enabled' */
  readonly state?: 'enabled' | 'disabled';
  /** When it was made, in milliseconds since 1970. @defaultValue now */
  readonly createdAt?: EpochMs;
}

/** The id of an endpoint: the same account and reference have the same. */
const endpointIdOf = (accountId: string, reference: string): string => derivedId('endpoint', accountId, reference);

const secret = once(() =>
  z
    .string()
    .refine(
      (text) => isIdentifier(text) && utf8Length(text) >= 16 && utf8Length(text) <= 128,
      'a text of 16 to 128 bytes.',
    ),
);
const ownFields = once(() =>
  z
    .strictObject({
      accountId: accountId(),
      reference: identifier(),
      secret: secret().refine(isTrimmed, 'white space or a byte order mark at an end: remove it.'),
      state: z.enum(['enabled', 'disabled']).default('enabled'),
      createdAt: createdAt(),
    })
    .transform(({ state, ...own }) => ({
      ...own,
      state,
      ...(state === 'disabled' ? { disabledBy: 'host' as const } : {}),
      id: endpointIdOf(own.accountId, own.reference),
    })),
);
const exportedFields = once(() =>
  z.strictObject({
    id: z.string().refine(isId, 'the id of an endpoint: a UUID.'),
    accountId: accountId(),
    reference: identifier().optional(),
    // Of a pull endpoint, there is none.
    secret: secret().optional(),
    nextSecret: secret().optional(),
    activateNextAt: z.int().min(0).optional(),
    state: z.enum(['enabled', 'disabled', 'disabled_by_breaker']),
    disabledBy: z.literal('host').optional(),
    createdAt: z.int().min(0),
    // It begins anew.
    version: z.int().min(1).optional(),
  }),
);
/** What an endpoint has beside the fields that a partner gives. */
type Own = Omit<z.output<ReturnType<typeof exportedFields>>, 'createdAt'> & {
  readonly createdAt?: EpochMs | undefined;
};

export interface ImportEndpointsDeps {
  readonly store: Pick<EndpointStore, 'findEndpoint' | 'insertEndpoint' | 'listEndpoints'>;
  readonly checkKnownAccount: CheckKnownAccount;
  readonly sealer: EndpointSealer;
  readonly reader: EndpointReader;
  readonly profiles: Pick<WireProfiles, 'of'>;
  readonly maxPerAccount: number;
  readonly clock: Clock;
  /** Makes entries of the audit trail. */
  readonly auditor: Pick<Auditor, 'entry'>;
  readonly observe: Observer;
}

/** Where endpoints are stored and announced. */
interface Target {
  readonly store: Pick<EndpointStore, 'findEndpoint' | 'insertEndpoint'>;
  readonly observe: Observer;
}

interface Row {
  readonly own: Own;
  readonly fields: z.output<ReturnType<EndpointReader['schemas']>['created']>;
}

/** Parts an object into the fields of a schema and the others. */
const partBy = ({ shape }: z.ZodObject, input: object): readonly [own: object, others: object] => {
  const part = (isOwn: boolean) =>
    Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(shape, name) === isOwn));
  return [part(true), part(false)];
};

export const createImportEndpoints = (deps: ImportEndpointsDeps) => {
  const { checkKnownAccount, sealer, reader, profiles, maxPerAccount, clock } = deps;
  const audit = endpointAudit(deps.auditor);

  /** The endpoint of an exported line, in clear. */
  const opened = (endpoint: Endpoint): Result<object, InvalidInput> => {
    const { secret, nextSecret, deliveryHeader } = endpoint;
    const clear = (value: Sealed, open: () => string): string => (isSealed(value) ? open() : value);
    try {
      return ok({
        ...endpoint,
        ...(secret === undefined ? {} : { secret: clear(secret, () => sealer.openSecret(endpoint, secret)) }),
        ...(nextSecret === undefined
          ? {}
          : { nextSecret: clear(nextSecret, () => sealer.openSecret(endpoint, nextSecret)) }),
        ...(isObject(deliveryHeader)
          ? {
              deliveryHeader: {
                ...deliveryHeader,
                value: clear(deliveryHeader.value, () => sealer.openDeliveryHeader(endpoint, deliveryHeader)),
              },
            }
          : {}),
      });
    } catch {
      return err(invalidField('secret', "sealed with other keys: export it with secrets: 'clear'."));
    }
  };

  const readFields = <S extends z.ZodType<Own>>(schema: S, ours: object, others: object): Result<Row, InvalidInput> =>
    readInput(schema, ours).andThen((own) =>
      reader.created(others).andThen((fields): Result<Row, InvalidInput> => {
        if (isPulled(fields) !== (own.secret === undefined))
          return err(invalidField('secret', isPulled(fields) ? 'not for a pull endpoint.' : 'missing.'));
        const profile = profiles.of(fields.profile);
        for (const [name, text] of Object.entries({ secret: own.secret, nextSecret: own.nextSecret })) {
          const problem = profile && text !== undefined && secretProblem(profile, fields.standardWebhooks, text);
          if (problem) return err(invalidField(name, problem));
        }
        return ok({ own, fields });
      }),
    );

  const read = (input: unknown): Result<Row, InvalidInput> => {
    if (!isObject(input)) return err(invalidField('', 'an object.'));
    if (input['kind'] !== 'endpoint') return readFields(ownFields(), ...partBy(ownFields().in, input));
    if (!isObject(input['endpoint'])) return err(invalidField('endpoint', 'an endpoint, as kit.export writes it.'));
    // The schemas check it once it is open.
    return opened(input['endpoint'] as unknown as Endpoint).andThen((endpoint) =>
      readFields(exportedFields(), ...partBy(exportedFields(), endpoint)),
    );
  };

  const endpointOf = ({ own, fields }: Row): Endpoint => {
    const { deliveryHeader, ...rest } = fields;
    const { accountId, id, reference, state, disabledBy, createdAt, secret, nextSecret, activateNextAt } = own;
    const owner = { accountId, id };
    const bare: Endpoint = {
      ...owner,
      ...(reference === undefined ? {} : { reference }),
      ...present(rest),
      state,
      ...(disabledBy === undefined ? {} : { disabledBy }),
      createdAt: createdAt ?? clock.now(),
      ...(secret === undefined ? {} : { secret: sealer.sealSecret(owner, secret) }),
      ...(nextSecret === undefined ? {} : { nextSecret: sealer.sealSecret(owner, nextSecret) }),
      ...(activateNextAt === undefined ? {} : { activateNextAt }),
      version: 1,
    };
    if (!deliveryHeader) return bare;
    const { name } = deliveryHeader;
    return { ...bare, deliveryHeader: { name, value: sealer.sealDeliveryHeader(bare, deliveryHeader) } };
  };

  /** What an import decides, in clear: a sealed value differs each time. */
  const contentOf = (endpoint: Endpoint): string => {
    const { createdAt: _made, activateNextAt: _later, deliveryHeader: _sealed, ...decided } = reader.fields();
    const plain = Object.keys(decided).map((name) => endpoint[name as keyof Endpoint]);
    const { deliveryHeader } = endpoint;
    const secret = endpoint.secret === undefined ? null : sealer.openSecret(endpoint, endpoint.secret);
    const header = deliveryHeader && [deliveryHeader.name, sealer.openDeliveryHeader(endpoint, deliveryHeader)];
    return JSON.stringify([plain, secret, header]);
  };

  const compare = (stored: Endpoint, wanted: Endpoint): ReturnType<ImportRow> =>
    callPort(async () => contentOf(stored) === contentOf(wanted)).map((isSame) => ({
      id: stored.id,
      outcome: isSame ? ('unchanged' as const) : ('differs' as const),
    }));

  const insert = (endpoint: Endpoint, { store, observe }: Target): ReturnType<ImportRow> => {
    const entry = audit('imported', endpoint, { actor: hostActor });
    return callPort(async () => {
      try {
        return { isInserted: await store.insertEndpoint(endpoint, maxPerAccount, undefined, entry) };
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
      observe({ kind: 'endpoint', change: 'imported', accountId, endpointId: id, by: hostActor });
      return okAsync({ id, outcome: 'created' });
    });
  };

  const importInto =
    (target: Target): ImportRow =>
    (input) =>
      read(input).asyncAndThen((row) => {
        const wanted = endpointOf(row);
        return callPort(() => target.store.findEndpoint(wanted.accountId, wanted.id)).andThen(
          (stored): ReturnType<ImportRow> => {
            if (stored) return compare(stored, wanted);
            return checkKnownAccount(wanted.accountId).andThen(() => insert(wanted, target));
          },
        );
      });
  const rehearsal = (): Target => ({ store: rehearseEndpoints(deps.store), observe: () => undefined });
  return importRows('import.endpoints', (isDryRun) => importInto(isDryRun ? rehearsal() : deps));
};
