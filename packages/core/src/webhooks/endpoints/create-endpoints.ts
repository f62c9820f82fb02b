import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from '#result';
import { checkAccountId } from '../../base/accounts/account-id.ts';
import type { CheckKnownAccount } from '../../base/accounts/known-account.ts';
import type { NewAuditEntry } from '../../base/audit/audit-entry.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import { present } from '../../base/fields/present.ts';
import { readPage } from '../../base/pagination/cursor.ts';
import { assertListOptions } from '../../base/pagination/list-options.ts';
import { callPort, type Unavailable } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { failure, type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { isId, newId } from '../../base/runtime/id.ts';
import { ifVersion } from '../../base/runtime/if-version.ts';
import type { Random } from '../../base/runtime/random.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import { timeProblem } from '../../base/runtime/time-problem.ts';
import { updateWithRetry } from '../../base/runtime/update-with-retry.ts';
import type { Actor } from '../../base/signals/actor.ts';
import type { EndpointChangeName } from '../../base/signals/change-names.ts';
import { type ActorOptions, type Change, readBy, readChange } from '../../base/signals/change-options.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { EventPairs } from '../catalogue/pairs.ts';
import { secretProblem, type WireProfiles } from '../signature/wire-profile.ts';
import {
  activateSecret,
  atTime,
  cancelSecret,
  type EndpointChange,
  prepareSecret,
  setState,
  update,
} from './changes.ts';
import { type Endpoint, type EndpointView, viewEndpoint as viewStored } from './endpoint.ts';
import { endpointAudit } from './endpoint-audit.ts';
import type { EndpointReader } from './endpoint-input.ts';
import { isPulled } from './endpoint-kind.ts';
import type { EndpointStore } from './endpoint-store.ts';
import type { EndpointFailure, EndpointInput, Endpoints, NewWebhookSecret } from './endpoints.ts';
import { createReseal } from './reseal.ts';
import { type EndpointSealer, mintWebhookSecret } from './webhook-secret.ts';

export interface EndpointsDeps {
  /** What endpoints can select. */
  readonly store: EndpointStore;
  /** Checks the account of a new endpoint. */
  readonly checkKnownAccount: CheckKnownAccount;
  readonly sealer: EndpointSealer;
  readonly clock: Clock;
  readonly random: Random;
  /** Makes entries of the audit trail. */
  readonly auditor: Pick<Auditor, 'entry'>;
  readonly observe: Observer;
  /** Wakes this process's workers: enabling makes deliveries due. */
  readonly nudge: () => void;
  readonly maxPerAccount: number;
  /** How requests look. */
  readonly profiles: Pick<WireProfiles, 'of'>;
  /** Reads inputs. */
  readonly reader: EndpointReader;
}

/** A change of a stored endpoint. */
interface StoredChange {
  readonly accountId: string;
  readonly endpointId: string;
  readonly name: EndpointChangeName;
  readonly by: Change;
  readonly act: EndpointChange;
  /** Stores the changed endpoint. @defaultValue replaces it */
  readonly write?: (changed: Endpoint, audit: NewAuditEntry) => Promise<boolean>;
}

/** A new endpoint with its secret, if it has one. */
type Made = Omit<NewWebhookSecret<EventPairs>, 'secret'> & Partial<Pick<NewWebhookSecret<EventPairs>, 'secret'>>;

const isPerson = ({ type }: Actor): boolean => type === 'user' || type === 'client';

/** Maximum number of endpoints in one read of their health. */
const maxHealth = 100;

export const createEndpoints = ({
  store,
  checkKnownAccount,
  sealer,
  clock,
  random,
  auditor,
  observe,
  nudge,
  maxPerAccount,
  profiles,
  reader,
}: EndpointsDeps): Endpoints<EventPairs> => {
  const audit = endpointAudit(auditor);
  const signal = (change: EndpointChangeName, accountId: string, endpointId: string, by: Actor): void =>
    observe({ kind: 'endpoint', change, accountId, endpointId, by });

  const viewEndpoint = (endpoint: Endpoint): EndpointView<EventPairs> => viewStored(atTime(endpoint, clock.now()));

  const sealedKey =
    (deliveryHeader: NonNullable<EndpointInput['deliveryHeader']>) =>
    (endpoint: Endpoint): NonNullable<Endpoint['deliveryHeader']> => ({
      name: deliveryHeader.name,
      value: sealer.sealDeliveryHeader(endpoint, deliveryHeader),
    });

  const owned = (accountId: string, endpointId: string): ResultAsync<Endpoint, EndpointFailure> =>
    callPort(async () =>
      isIdentifier(accountId) && isId(endpointId) ? store.findEndpoint(accountId, endpointId) : undefined,
    ).andThen((endpoint) =>
      endpoint?.accountId === accountId && endpoint.id === endpointId
        ? okAsync(endpoint)
        : errAsync(failure('not_found')),
    );

  const change = ({
    accountId,
    endpointId,
    name,
    by,
    act,
    write = (endpoint, entry) => store.replaceEndpoint(endpoint, entry),
  }: StoredChange): ResultAsync<EndpointView<EventPairs>, EndpointFailure> =>
    updateWithRetry<Endpoint, EndpointFailure>(
      () => owned(accountId, endpointId),
      ifVersion(by.versions, act),
      (endpoint, before) => write(endpoint, audit(name, endpoint, by, before)),
    ).map((endpoint) => {
      signal(name, accountId, endpointId, by.actor);
      return viewEndpoint({ ...endpoint, version: endpoint.version + 1 });
    });

  /** An imported secret may have a form that some signatures cannot use. */
  const checkSecret = (before: Endpoint, changed: Endpoint): Result<Endpoint, InvalidInput> => {
    if (before.profile === changed.profile && before.standardWebhooks === changed.standardWebhooks) return ok(changed);
    const profile = profiles.of(changed.profile);
    if (!profile || changed.secret === undefined) return ok(changed);
    const problem = secretProblem(profile, changed.standardWebhooks, sealer.openSecret(changed, changed.secret));
    const field = before.profile === changed.profile ? 'standardWebhooks' : 'profile';
    return problem === undefined ? ok(changed) : err(invalidField(field, `does not fit the endpoint: ${problem}`));
  };

  const isPaused = ({ accountId, id }: Endpoint): ResultAsync<boolean, Unavailable> =>
    callPort(() => store.readHealth(accountId, [id])).map((found) =>
      found.some(({ endpointId, pausedUntil }) => endpointId === id && pausedUntil !== undefined),
    );

  /** The new endpoint; its secret, if it is sent requests. */
  const create = (
    accountId: string,
    input: unknown,
    options: ActorOptions = {},
  ): ResultAsync<Made, EndpointFailure> => {
    const by = readBy('endpoints.create', options);
    const acting = checkAccountId(accountId);
    if (acting.isErr()) return errAsync(acting.error);
    const read = reader.created(input);
    if (read.isErr()) return errAsync(read.error);
    const { deliveryHeader, ...fields } = read.value;
    return checkKnownAccount(accountId).andThen(() => {
      const owner = { accountId, id: newId(clock, random) };
      const made = isPulled(fields) ? {} : { secret: mintWebhookSecret(random) };
      const { secret } = made;
      const chosen = profiles.of(fields.profile);
      const problem =
        chosen && secret !== undefined ? secretProblem(chosen, fields.standardWebhooks, secret) : undefined;
      if (problem !== undefined) return errAsync(invalidField('standardWebhooks', problem));
      const bare: Endpoint = {
        ...owner,
        ...present(fields),
        state: 'enabled',
        createdAt: clock.now(),
        ...(secret === undefined ? {} : { secret: sealer.sealSecret(owner, secret) }),
        version: 1,
      };
      const endpoint = deliveryHeader ? { ...bare, deliveryHeader: sealedKey(deliveryHeader)(bare) } : bare;
      const entry = audit('created', endpoint, by);
      return callPort(() => store.insertEndpoint(endpoint, maxPerAccount, undefined, entry)).andThen((inserted) => {
        if (!inserted) return errAsync(failure('too_many_endpoints'));
        signal('created', accountId, endpoint.id, by.actor);
        return okAsync({ endpoint: viewEndpoint(endpoint), ...made });
      });
    });
  };

  return {
    // Its input decides whether it has a secret.
    create: create as Endpoints<EventPairs>['create'],
    find: (accountId, endpointId) => owned(accountId, endpointId).map(viewEndpoint),
    list: (accountId, options = {}) => {
      assertListOptions('endpoints.list', options, {});
      const { page = {} } = options;
      return checkAccountId(accountId)
        .asyncAndThen(() =>
          callPort(() =>
            readPage(['endpoints', accountId, page.newestFirst === true], page, (opened) =>
              store.listEndpoints(accountId, opened),
            ),
          ),
        )
        .andThen((read) => read)
        .map(({ items, ...rest }) => ({
          ...rest,
          items: items.filter((endpoint) => endpoint.accountId === accountId).map(viewEndpoint),
        }));
    },
    health: (accountId, endpointIds) => {
      const acting = checkAccountId(accountId);
      if (acting.isErr()) return errAsync(acting.error);
      if (!Array.isArray(endpointIds) || endpointIds.length > maxHealth)
        return errAsync(invalidField('endpointIds', `a list of at most ${maxHealth} ids.`));
      const ids = endpointIds.filter(isId);
      return callPort(async () => (ids.length === 0 ? [] : store.readHealth(accountId, ids)));
    },
    update: (accountId, endpointId, input, options = {}) => {
      const by = readChange('endpoints.update', options);
      return reader.changed(input).asyncAndThen(({ deliveryHeader, ...fields }) => {
        const given = { ...fields, deliveryHeader: deliveryHeader && sealedKey(deliveryHeader) };
        const act: EndpointChange = (endpoint) =>
          update(given)(endpoint).andThen((changed) => checkSecret(endpoint, changed));
        return change({ accountId, endpointId, by, name: 'updated', act });
      });
    },
    enable: (accountId, endpointId, options = {}) => {
      const by = readChange('endpoints.enable', options);
      return change({ accountId, endpointId, by, name: 'enabled', act: setState('enabled') }).andTee(nudge);
    },
    resume: (accountId, endpointId, options = {}) => {
      const by = readChange('endpoints.resume', options);
      const write = ({ version }: Endpoint, entry: NewAuditEntry) =>
        store.resumeEndpoint(accountId, endpointId, version, entry);
      return owned(accountId, endpointId)
        .andThen(ifVersion<Endpoint, EndpointFailure>(by.versions, ok))
        .andThen((endpoint) =>
          isPaused(endpoint).andThen((paused) =>
            paused
              ? change({ accountId, endpointId, by, name: 'resumed', act: ok, write }).andTee(nudge)
              : okAsync(viewEndpoint(endpoint)),
          ),
        );
    },
    disable: (accountId, endpointId, options = {}) => {
      const by = readChange('endpoints.disable', options);
      const act = setState('disabled', isPerson(by.actor) ? 'partner' : 'host');
      return change({ accountId, endpointId, by, name: 'disabled', act });
    },
    prepareSecret: (accountId, endpointId, options = {}) => {
      const by = readChange('endpoints.prepareSecret', options);
      const secret = mintWebhookSecret(random);
      const act = prepareSecret(sealer.sealSecret({ accountId, id: endpointId }, secret), clock.now());
      return change({ accountId, endpointId, by, name: 'secret_prepared', act }).map((endpoint) => ({
        endpoint,
        secret,
      }));
    },
    activateSecret: (accountId, endpointId, options = {}) => {
      const by = readChange('endpoints.activateSecret', options, { at: true });
      const { at = clock.now() } = options;
      const problem = timeProblem(at);
      if (problem !== undefined) return errAsync(invalidField('at', problem));
      const act = activateSecret(at, clock.now());
      return change({ accountId, endpointId, by, name: 'secret_activated', act });
    },
    cancelSecret: (accountId, endpointId, options = {}) => {
      const by = readChange('endpoints.cancelSecret', options);
      return change({ accountId, endpointId, by, name: 'secret_cancelled', act: cancelSecret(clock.now()) });
    },
    reseal: createReseal({
      store,
      sealer,
      audit,
      onResealed: ({ accountId, id }, actor) => signal('resealed', accountId, id, actor),
    }),
    countBySealingKey: () =>
      callPort(() => store.countBySealingKey()).map((counts) =>
        counts.map(({ keyId, endpoints }) => ({ keyId, endpoints })),
      ),
    delete: (accountId, endpointId, options = {}) => {
      const { versions, ...by } = readChange('endpoints.delete', options);
      const remove = (endpoint: Endpoint) =>
        store.deleteEndpoint(accountId, endpointId, audit('deleted', endpoint, by));
      return owned(accountId, endpointId)
        .andThen(ifVersion<Endpoint, EndpointFailure>(versions, ok))
        .andThen((endpoint) => callPort(() => remove(endpoint)))
        .andThen((deleted) => {
          if (!deleted) return errAsync(failure('not_found'));
          signal('deleted', accountId, endpointId, by.actor);
          return okAsync(undefined);
        });
    },
  };
};
