import { errAsync, okAsync, type ResultAsync } from 'neverthrow';
import { checkAccountId } from '../accounts/account-id.ts';
import type { EventSelector } from '../catalogue/event-selector.ts';
import { changeStored } from '../runtime/change-stored.ts';
import type { Clock } from '../runtime/clock.ts';
import { type InvalidCursor, readPage } from '../runtime/cursor.ts';
import { isId, newId } from '../runtime/id.ts';
import type { Page, PageRequest } from '../runtime/page.ts';
import type { Random } from '../runtime/random.ts';
import { isIdentifier } from '../runtime/text.ts';
import type { EpochMs } from '../runtime/time.ts';
import { ask, type Unavailable } from '../runtime/unavailable.ts';
import type { Observer } from '../signals/signal.ts';
import {
  activateSecret,
  atTime,
  cancelSecret,
  type EndpointChange,
  prepareSecret,
  setState,
  update,
} from './changes.ts';
import { type Endpoint, type EndpointChangeName, type EndpointView, viewEndpoint as viewStored } from './endpoint.ts';
import { endpointReader } from './endpoint-input.ts';
import type { EndpointStore, SealingKeyCount } from './endpoint-store.ts';
import { createReseal, type Resealed } from './reseal.ts';
import { type EndpointSealer, mintWebhookSecret } from './webhook-secret.ts';

/**
 * Why an endpoint could not be managed. `not_found` also answers for the endpoints of other accounts. `api_key_needed`: the URL moves to
 * another origin, and `apiKey` says neither which key to send there nor `null` for none.
 * @public
 */
export type EndpointFailure =
  | { readonly code: 'not_found' | 'too_many_endpoints' | 'no_next_secret' | 'api_key_needed' | 'changed_meanwhile' }
  | {
      readonly code: 'invalid_input' /** Each wrong field and what to change; never a value. */;
      readonly detail: string;
    }
  | InvalidCursor
  | Unavailable;

/**
 * What a partner fills in (specification §5.2, §6.1).
 * @public
 */
export interface EndpointInput {
  /** HTTPS, at most 2048 characters, without user name, password or fragment, and not a literal address that the sender refuses. */
  readonly url: string;
  /** At least one: an event type, of every object that has it; or a pair, such as `RequestSecurityDeposit.creation`. */
  readonly events: readonly EventSelector[];
  /** Free text, 1 to 256 bytes. */
  readonly label?: string;
  /**
   * A static header that every delivery carries: a free name, a value of visible ASCII. It is sent to the origin of `url` only; an update
   * of `url` to another origin names it again, or removes it with `null`.
   */
  readonly apiKey?: { readonly header: string; readonly value: string };
  /** Send Standard Webhooks headers (HMAC-SHA-256) beside `X-WEBHOOK-SIGNATURE`. @defaultValue false */
  readonly standardWebhooks?: boolean;
  /** Receive the events of the direct children that clients of the account reach, too. @defaultValue false */
  readonly includeChildren?: boolean;
}

/**
 * What of an endpoint may change; `null` removes.
 * @public
 */
export type EndpointUpdate = Partial<Pick<EndpointInput, 'url' | 'events' | 'standardWebhooks' | 'includeChildren'>> & {
  readonly label?: string | null;
  readonly apiKey?: EndpointInput['apiKey'] | null;
};

/**
 * An endpoint with a webhook secret that was just made. The secret is here and nowhere else: show it once.
 * @public
 */
export interface NewWebhookSecret {
  readonly endpoint: EndpointView;
  readonly secret: string;
}

/**
 * What the host's web interface does with webhook endpoints. Each call names the acting account; ids of other accounts
 * answer `not_found`.
 * @public
 */
export interface Endpoints {
  /**
   * @example
   * const created = await kit.endpoints.create(accountId, { url: 'https://partner.example/hooks', events: ['payed'] });
   * if (created.isOk()) showOnce(created.value.endpoint.id, created.value.secret);
   */
  create(accountId: string, input: EndpointInput): ResultAsync<NewWebhookSecret, EndpointFailure>;
  find(accountId: string, endpointId: string): ResultAsync<EndpointView, EndpointFailure>;
  list(accountId: string, page?: PageRequest): ResultAsync<Page<EndpointView>, EndpointFailure>;
  update(accountId: string, endpointId: string, change: EndpointUpdate): ResultAsync<EndpointView, EndpointFailure>;
  /** Deliveries that were held go on, oldest first: at once, or when their next attempt is due. How it failed before is forgotten. */
  enable(accountId: string, endpointId: string): ResultAsync<EndpointView, EndpointFailure>;
  /** What waits is held; new events are not kept for it. */
  disable(accountId: string, endpointId: string): ResultAsync<EndpointView, EndpointFailure>;
  /** First phase of a rotation: shows the next secret while the old one signs. A second call replaces the first's. */
  prepareSecret(accountId: string, endpointId: string): ResultAsync<NewWebhookSecret, EndpointFailure>;
  /** Second phase: the next secret signs, now or from `at` on. */
  activateSecret(accountId: string, endpointId: string, at?: EpochMs): ResultAsync<EndpointView, EndpointFailure>;
  /** Forgets the next secret; the old one goes on. */
  cancelSecret(accountId: string, endpointId: string): ResultAsync<EndpointView, EndpointFailure>;
  /**
   * One step of sealing anew: of the next endpoints of all accounts (1 to 100, 50 by default), seals with the first of `sealingKeys` what
   * another key sealed. Go on with `next` until there is none; steps may be repeated. Secrets and API keys stay the same.
   * @example
   * for (let after: string | undefined, more = true; more; more = after !== undefined) {
   *   const step = await kit.endpoints.reseal(after === undefined ? {} : { after });
   *   if (step.isErr()) throw new Error(step.error.code);
   *   after = step.value.next;
   * }
   */
  reseal(page?: Pick<PageRequest, 'after' | 'limit'>): ResultAsync<Resealed, InvalidCursor | Unavailable>;
  /** How many endpoints of all accounts hold a value sealed with each key: a key that is not listed can be removed from `sealingKeys`. */
  countBySealingKey(): ResultAsync<readonly SealingKeyCount[], Unavailable>;
  /** Its unfinished deliveries expire. */
  delete(accountId: string, endpointId: string): ResultAsync<void, EndpointFailure>;
}

/** @internal */
export interface EndpointsDeps {
  readonly store: EndpointStore;
  readonly sealer: EndpointSealer;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: Observer;
  /** Wakes this process's workers: enabling makes deliveries due. */
  readonly nudge: () => void;
  readonly mostPerAccount: number;
  readonly ports: readonly number[] | undefined;
  /** Whether a URL can be sent to at all. */
  readonly canReach: (url: string) => boolean;
}

/** @internal */
export const createEndpoints = ({
  store,
  sealer,
  clock,
  random,
  observe,
  nudge,
  mostPerAccount,
  ports,
  canReach,
}: EndpointsDeps): Endpoints => {
  const reader = endpointReader({ ports, canReach });
  const invalid = (detail: string) => errAsync({ code: 'invalid_input' as const, detail });
  const signal = (change: EndpointChangeName, accountId: string, endpointId: string): void =>
    observe({ kind: 'endpoint', change, accountId, endpointId });

  const viewEndpoint = (endpoint: Endpoint): EndpointView => viewStored(atTime(endpoint, clock.now()));

  const sealedKey =
    (apiKey: NonNullable<EndpointInput['apiKey']>) =>
    (endpoint: Endpoint): NonNullable<Endpoint['apiKey']> => ({
      header: apiKey.header,
      value: sealer.sealApiKey(endpoint, apiKey),
    });

  const owned = (accountId: string, endpointId: string): ResultAsync<Endpoint, EndpointFailure> =>
    ask(async () =>
      isIdentifier(accountId) && isId(endpointId) ? store.findEndpoint(accountId, endpointId) : undefined,
    ).andThen((endpoint) =>
      endpoint?.accountId === accountId && endpoint.id === endpointId
        ? okAsync(endpoint)
        : errAsync({ code: 'not_found' as const }),
    );

  const change = (
    accountId: string,
    endpointId: string,
    name: EndpointChangeName,
    act: EndpointChange,
  ): ResultAsync<EndpointView, EndpointFailure> =>
    changeStored<Endpoint, EndpointFailure>(
      () => owned(accountId, endpointId),
      act,
      (endpoint) => store.replaceEndpoint(endpoint),
    ).map((endpoint) => {
      signal(name, accountId, endpointId);
      return viewEndpoint(endpoint);
    });

  return {
    create: (accountId, input) => {
      const acting = checkAccountId(accountId);
      if (acting.isErr()) return errAsync(acting.error);
      return reader.created(input).asyncAndThen(({ apiKey, label, ...fields }) => {
        const owner = { accountId, id: newId(clock, random) };
        const secret = mintWebhookSecret(random);
        const bare: Endpoint = {
          ...owner,
          ...fields,
          state: 'enabled',
          createdAt: clock.now(),
          secret: sealer.sealSecret(owner, secret),
          version: 1,
          ...(label === undefined ? {} : { label }),
        };
        const endpoint = apiKey ? { ...bare, apiKey: sealedKey(apiKey)(bare) } : bare;
        return ask(() => store.insertEndpoint(endpoint, mostPerAccount)).andThen((inserted) => {
          if (!inserted) return errAsync({ code: 'too_many_endpoints' as const });
          signal('created', accountId, endpoint.id);
          return okAsync({ endpoint: viewEndpoint(endpoint), secret });
        });
      });
    },
    find: (accountId, endpointId) => owned(accountId, endpointId).map(viewEndpoint),
    list: (accountId, page = {}) =>
      checkAccountId(accountId)
        .asyncAndThen(() =>
          ask(() =>
            readPage(['endpoints', accountId, page.newestFirst === true], page, (opened) =>
              store.listEndpoints(accountId, opened),
            ),
          ),
        )
        .andThen((read) => read)
        .map(({ items, ...rest }) => ({
          ...rest,
          items: items.filter((endpoint) => endpoint.accountId === accountId).map(viewEndpoint),
        })),
    update: (accountId, endpointId, input) =>
      reader
        .changed(input)
        .asyncAndThen(({ apiKey, ...fields }) =>
          change(accountId, endpointId, 'updated', update({ ...fields, apiKey: apiKey && sealedKey(apiKey) })),
        ),
    enable: (accountId, endpointId) => change(accountId, endpointId, 'enabled', setState('enabled')).andTee(nudge),
    disable: (accountId, endpointId) => change(accountId, endpointId, 'disabled', setState('disabled')),
    prepareSecret: (accountId, endpointId) => {
      const secret = mintWebhookSecret(random);
      const sealed = sealer.sealSecret({ accountId, id: endpointId }, secret);
      return change(accountId, endpointId, 'secret_prepared', prepareSecret(sealed, clock.now())).map((endpoint) => ({
        endpoint,
        secret,
      }));
    },
    activateSecret: (accountId, endpointId, at = clock.now()) =>
      Number.isSafeInteger(at) && at >= 0
        ? change(accountId, endpointId, 'secret_activated', activateSecret(at, clock.now()))
        : invalid('at: milliseconds since 1970, a whole number.'),
    cancelSecret: (accountId, endpointId) =>
      change(accountId, endpointId, 'secret_cancelled', cancelSecret(clock.now())),
    reseal: createReseal({
      store,
      sealer,
      onResealed: ({ accountId, id }) => signal('resealed', accountId, id),
    }),
    countBySealingKey: () => ask(() => store.countBySealingKey()),
    delete: (accountId, endpointId) =>
      ask(
        async () => isIdentifier(accountId) && isId(endpointId) && store.deleteEndpoint(accountId, endpointId),
      ).andThen((deleted) => {
        if (!deleted) return errAsync({ code: 'not_found' as const });
        signal('deleted', accountId, endpointId);
        return okAsync(undefined);
      }),
  };
};
