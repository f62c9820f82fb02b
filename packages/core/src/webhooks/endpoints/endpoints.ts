import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import { checkAccountId } from '../../base/accounts/account-id.ts';
import type { CheckKnownAccount } from '../../base/accounts/known-account.ts';
import { type InvalidCursor, readPage } from '../../base/pagination/cursor.ts';
import { assertListOptions, type ListOptions } from '../../base/pagination/list-options.ts';
import type { Page, PageRequest } from '../../base/pagination/page.ts';
import { callPort, type Unavailable } from '../../base/runtime/call-port.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { type Failure, failure, type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { isId, newId } from '../../base/runtime/id.ts';
import { ifVersion } from '../../base/runtime/if-version.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import type { Random } from '../../base/runtime/random.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { timeProblem } from '../../base/runtime/time-problem.ts';
import { updateWithRetry } from '../../base/runtime/update-with-retry.ts';
import type { Actor } from '../../base/signals/actor.ts';
import type { EndpointChangeName } from '../../base/signals/change-names.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { EventSelector } from '../catalogue/event-selector.ts';
import type { EventPairs } from '../catalogue/pairs.ts';
import type { SpecifiedPairs } from '../catalogue/specification.ts';
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
import type { createEndpointReader } from './endpoint-input.ts';
import type { EndpointHealth, EndpointStore, SealingKeyCount } from './endpoint-store.ts';
import { createReseal, type ResealOutcome } from './reseal.ts';
import { type EndpointSealer, mintWebhookSecret } from './webhook-secret.ts';

/**
 * Why a call of {@link Endpoints} failed.
 * @public
 */
export type EndpointFailure =
  /** The account has no such endpoint; another account may have it. */
  | Failure<'not_found'>
  /** The account has `webhooks.maxEndpoints` endpoints: delete one first. */
  | Failure<'too_many_endpoints'>
  /** There is no prepared secret to activate or cancel. */
  | Failure<'no_next_secret'>
  /** The URL moves to another origin, and `deliveryHeader` is neither a header nor `null`. */
  | Failure<'delivery_header_needed'>
  /** Other calls changed the endpoint at the same time, five times in a row: try again. */
  | Failure<'changed_meanwhile'>
  /** The endpoint has none of the versions of `ifVersion`: read it again. */
  | Failure<'version_mismatch'>
  /** A field is wrong. */
  | InvalidInput
  | InvalidCursor
  | Unavailable;

/**
 * The fields of a new endpoint (specification §5.2, §6.1).
 * @public
 */
export interface EndpointInput<P extends EventPairs = SpecifiedPairs> {
  /**
   * HTTPS URL, at most 2048 characters, without user name, password and fragment. The sender must accept its address.
   */
  readonly url: string;
  /** At least one selector: an event type of any object, or a pair such as `RequestSecurityDeposit.creation`. */
  readonly events: readonly EventSelector<P>[];
  /** Free text, 1 to 256 bytes. @defaultValue none */
  readonly label?: string;
  /**
   * Static header of every delivery, sent to the origin of `url` only. An update of `url` to another origin gives it
   * again, or removes it with `null`. @defaultValue none
   */
  readonly deliveryHeader?: {
    /** Header name, 1 to 64 characters; names that HTTP or the signature use are refused. */
    readonly name: string;
    /** 1 to 1024 visible ASCII characters. */
    readonly value: string;
  };
  /**
   * Whether to send the headers of Standard Webhooks (HMAC-SHA-256) beside `X-WEBHOOK-SIGNATURE`. @defaultValue false
   */
  readonly standardWebhooks?: boolean;
  /** Whether to receive events of the direct children that clients of the account can access. @defaultValue false */
  readonly includeChildren?: boolean;
  /** A name of `webhooks.profiles`: how its requests look. @defaultValue the profile of the kit */
  readonly profile?: string;
}

/**
 * The fields of an endpoint to change. An absent field stays as it is.
 * @public
 */
export type EndpointUpdate<P extends EventPairs = SpecifiedPairs> = Partial<
  Pick<EndpointInput<P>, 'url' | 'events' | 'standardWebhooks' | 'includeChildren'>
> & {
  /** Free text, 1 to 256 bytes; `null` removes it. */
  readonly label?: string | null;
  /** Static header of every delivery; `null` removes it. */
  readonly deliveryHeader?: EndpointInput['deliveryHeader'] | null;
  /** A name of `webhooks.profiles`; `null` returns to the profile of the kit. */
  readonly profile?: string | null;
};

/**
 * An endpoint and its new webhook secret. Show the secret once: only its ciphertext is stored.
 * @public
 */
export interface NewWebhookSecret<P extends EventPairs = SpecifiedPairs> {
  /** The endpoint. */
  readonly endpoint: EndpointView<P>;
  /** The secret: `whsec_` and 192 random bits in Base64. */
  readonly secret: string;
}

/**
 * Manages webhook endpoints, as the web interface of the host does. Each method takes the acting account; endpoints of
 * other accounts return `not_found`. Each change is signalled as `endpoint`.
 * @public
 */
export interface Endpoints<P extends EventPairs = SpecifiedPairs> {
  /**
   * Makes an enabled endpoint with its secret. `accounts.find` must know the account.
   * @example
   * const created = await kit.endpoints.create(accountId, { url: 'https://partner.example/hooks', events: ['payed'] });
   * if (created.isOk()) showOnce(created.value.endpoint.id, created.value.secret);
   */
  create(accountId: string, input: EndpointInput<P>): ResultAsync<NewWebhookSecret<P>, EndpointFailure>;
  /** Reads an endpoint. */
  find(accountId: string, endpointId: string): ResultAsync<EndpointView<P>, EndpointFailure>;
  /** Lists the endpoints of an account. */
  list(accountId: string, options?: ListOptions): ResultAsync<Page<EndpointView<P>>, EndpointFailure>;
  /**
   * Reads the health of endpoints, at most 100. An endpoint that neither fails nor is disabled, or that the account
   * does not have, is left out.
   */
  health(
    accountId: string,
    endpointIds: readonly string[],
  ): ResultAsync<readonly EndpointHealth[], InvalidInput | Unavailable>;
  /** Changes fields of an endpoint. */
  update(
    accountId: string,
    endpointId: string,
    change: EndpointUpdate<P>,
  ): ResultAsync<EndpointView<P>, EndpointFailure>;
  /**
   * Enables an endpoint and resets its health. Held deliveries continue, oldest first: at once, or when their next
   * attempt is due.
   */
  enable(accountId: string, endpointId: string): ResultAsync<EndpointView<P>, EndpointFailure>;
  /**
   * Ends a pause of an endpoint, by the breaker or by the receiver's `Retry-After`. After a pause by the breaker, one
   * delivery is sent as a probe; its success lets all others continue. An endpoint that is not paused stays as it is.
   */
  resume(accountId: string, endpointId: string): ResultAsync<EndpointView<P>, EndpointFailure>;
  /**
   * Disables an endpoint. Its unfinished deliveries are held; new events make no deliveries for it.
   * Its health names who did: the partner, when `kit.with` named a user, else the host.
   */
  disable(accountId: string, endpointId: string): ResultAsync<EndpointView<P>, EndpointFailure>;
  /** First step of a rotation: makes the next secret while the current one signs. Replaces an earlier next secret. */
  prepareSecret(accountId: string, endpointId: string): ResultAsync<NewWebhookSecret<P>, EndpointFailure>;
  /** Second step of a rotation: the next secret signs from `at` on. */
  activateSecret(
    accountId: string,
    endpointId: string,
    options?: {
      /** When it begins to sign, in milliseconds since 1970. @defaultValue now */
      readonly at?: EpochMs | undefined;
    },
  ): ResultAsync<EndpointView<P>, EndpointFailure>;
  /** Drops the next secret; the current one keeps signing. */
  cancelSecret(accountId: string, endpointId: string): ResultAsync<EndpointView<P>, EndpointFailure>;
  /**
   * Seals the secrets and API keys of the next endpoints of all accounts with the first of `sealingKeys`. One call
   * covers 1 to 100 endpoints, by default 50; repeat it with `next` until there is none. It may be repeated; clear
   * values stay.
   * @example
   * for (let after: string | undefined, more = true; more; more = after !== undefined) {
   *   const step = await kit.endpoints.reseal(after === undefined ? {} : { after });
   *   if (step.isErr()) throw new Error(step.error.code);
   *   after = step.value.next;
   * }
   */
  reseal(options?: Pick<PageRequest, 'after' | 'limit'>): ResultAsync<ResealOutcome, InvalidCursor | Unavailable>;
  /** Counts endpoints of all accounts by sealing key. A key that is not listed can be removed from `sealingKeys`. */
  countBySealingKey(): ResultAsync<readonly SealingKeyCount[], Unavailable>;
  /** Deletes an endpoint; its unfinished deliveries expire. */
  delete(accountId: string, endpointId: string): ResultAsync<void, EndpointFailure>;
}

/** @internal */
export interface EndpointsDeps {
  /** What endpoints can select. */
  readonly store: EndpointStore;
  /** Checks the account of a new endpoint. */
  readonly checkKnownAccount: CheckKnownAccount;
  readonly sealer: EndpointSealer;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  /** Wakes this process's workers: enabling makes deliveries due. */
  readonly nudge: () => void;
  readonly maxPerAccount: number;
  /** How requests look. */
  readonly profiles: Pick<WireProfiles, 'of'>;
  /** Reads inputs. */
  readonly reader: ReturnType<typeof createEndpointReader>;
  /** Who makes the changes. */
  readonly actor: Actor;
  /** The versions that a changed endpoint may have. `undefined`: any. */
  readonly ifVersion: readonly number[] | undefined;
}

const isPerson = ({ type }: Actor): boolean => type === 'user' || type === 'client';

/** Maximum number of endpoints in one read of their health. */
const maxHealth = 100;

/** @internal */
export const createEndpoints = ({
  store,
  checkKnownAccount,
  sealer,
  clock,
  random,
  observe,
  nudge,
  maxPerAccount,
  profiles,
  reader,
  actor,
  ifVersion: versions,
}: EndpointsDeps): Endpoints<EventPairs> => {
  const signal = (change: EndpointChangeName, accountId: string, endpointId: string): void =>
    observe({ kind: 'endpoint', change, accountId, endpointId, by: actor });

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

  const change = (
    accountId: string,
    endpointId: string,
    name: EndpointChangeName,
    act: EndpointChange,
    write: (changed: Endpoint) => Promise<boolean> = (endpoint) => store.replaceEndpoint(endpoint),
  ): ResultAsync<EndpointView<EventPairs>, EndpointFailure> =>
    updateWithRetry<Endpoint, EndpointFailure>(() => owned(accountId, endpointId), ifVersion(versions, act), write).map(
      (endpoint) => {
        signal(name, accountId, endpointId);
        return viewEndpoint({ ...endpoint, version: endpoint.version + 1 });
      },
    );

  /** An imported secret may have a form that some signatures cannot use. */
  const checkSecret = (before: Endpoint, changed: Endpoint): Result<Endpoint, InvalidInput> => {
    if (before.profile === changed.profile && before.standardWebhooks === changed.standardWebhooks) return ok(changed);
    const profile = profiles.of(changed.profile);
    if (!profile) return ok(changed);
    const problem = secretProblem(profile, changed.standardWebhooks, sealer.openSecret(changed, changed.secret));
    const field = before.profile === changed.profile ? 'standardWebhooks' : 'profile';
    return problem === undefined ? ok(changed) : err(invalidField(field, `does not fit the endpoint: ${problem}`));
  };

  const isPaused = ({ accountId, id }: Endpoint): ResultAsync<boolean, Unavailable> =>
    callPort(() => store.readHealth(accountId, [id])).map((found) =>
      found.some(({ endpointId, pausedUntil }) => endpointId === id && pausedUntil !== undefined),
    );

  return {
    create: (accountId, input) => {
      const acting = checkAccountId(accountId);
      if (acting.isErr()) return errAsync(acting.error);
      const read = reader.created(input);
      if (read.isErr()) return errAsync(read.error);
      const { deliveryHeader, label, profile, ...fields } = read.value;
      return checkKnownAccount(accountId).andThen(() => {
        const owner = { accountId, id: newId(clock, random) };
        const secret = mintWebhookSecret(random);
        const chosen = profiles.of(profile);
        const problem = chosen && secretProblem(chosen, fields.standardWebhooks, secret);
        if (problem !== undefined) return errAsync(invalidField('standardWebhooks', problem));
        const bare: Endpoint = {
          ...owner,
          ...fields,
          state: 'enabled',
          createdAt: clock.now(),
          secret: sealer.sealSecret(owner, secret),
          version: 1,
          ...(label === undefined ? {} : { label }),
          ...(profile === undefined ? {} : { profile }),
        };
        const endpoint = deliveryHeader ? { ...bare, deliveryHeader: sealedKey(deliveryHeader)(bare) } : bare;
        return callPort(() => store.insertEndpoint(endpoint, maxPerAccount)).andThen((inserted) => {
          if (!inserted) return errAsync(failure('too_many_endpoints'));
          signal('created', accountId, endpoint.id);
          return okAsync({ endpoint: viewEndpoint(endpoint), secret });
        });
      });
    },
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
    update: (accountId, endpointId, input) =>
      reader
        .changed(input)
        .asyncAndThen(({ deliveryHeader, ...fields }) =>
          change(accountId, endpointId, 'updated', (endpoint) =>
            update({ ...fields, deliveryHeader: deliveryHeader && sealedKey(deliveryHeader) })(endpoint).andThen(
              (changed) => checkSecret(endpoint, changed),
            ),
          ),
        ),
    enable: (accountId, endpointId) => change(accountId, endpointId, 'enabled', setState('enabled')).andTee(nudge),
    resume: (accountId, endpointId) =>
      owned(accountId, endpointId)
        .andThen(ifVersion<Endpoint, EndpointFailure>(versions, ok))
        .andThen((endpoint) =>
          isPaused(endpoint).andThen((paused) =>
            paused
              ? change(accountId, endpointId, 'resumed', ok, ({ version }) =>
                  store.resumeEndpoint(accountId, endpointId, version),
                ).andTee(nudge)
              : okAsync(viewEndpoint(endpoint)),
          ),
        ),
    disable: (accountId, endpointId) =>
      change(accountId, endpointId, 'disabled', setState('disabled', isPerson(actor) ? 'partner' : 'host')),
    prepareSecret: (accountId, endpointId) => {
      const secret = mintWebhookSecret(random);
      const sealed = sealer.sealSecret({ accountId, id: endpointId }, secret);
      return change(accountId, endpointId, 'secret_prepared', prepareSecret(sealed, clock.now())).map((endpoint) => ({
        endpoint,
        secret,
      }));
    },
    activateSecret: (accountId, endpointId, options = {}) => {
      assertOptionNames('endpoints.activateSecret', options, { at: true });
      const { at = clock.now() } = options;
      const problem = timeProblem(at);
      return problem === undefined
        ? change(accountId, endpointId, 'secret_activated', activateSecret(at, clock.now()))
        : errAsync(invalidField('at', problem));
    },
    cancelSecret: (accountId, endpointId) =>
      change(accountId, endpointId, 'secret_cancelled', cancelSecret(clock.now())),
    reseal: createReseal({
      store,
      sealer,
      onResealed: ({ accountId, id }) => signal('resealed', accountId, id),
    }),
    countBySealingKey: () =>
      callPort(() => store.countBySealingKey()).map((counts) =>
        counts.map(({ keyId, endpoints }) => ({ keyId, endpoints })),
      ),
    delete: (accountId, endpointId) =>
      owned(accountId, endpointId)
        .andThen(ifVersion<Endpoint, EndpointFailure>(versions, ok))
        .andThen(() => callPort(() => store.deleteEndpoint(accountId, endpointId)))
        .andThen((deleted) => {
          if (!deleted) return errAsync(failure('not_found'));
          signal('deleted', accountId, endpointId);
          return okAsync(undefined);
        }),
  };
};
