import type { ResultAsync } from '#result';
import type { GivenFields } from '../../base/fields/field.ts';
import type { InvalidCursor } from '../../base/pagination/cursor.ts';
import type { ListOptions } from '../../base/pagination/list-options.ts';
import type { Page, PageRequest } from '../../base/pagination/page.ts';
import type { Unavailable } from '../../base/runtime/call-port.ts';
import type { Failure, InvalidInput } from '../../base/runtime/failure.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { ActorOptions, ChangeOptions } from '../../base/signals/change-options.ts';
import type { EventSelector } from '../catalogue/event-selector.ts';
import type { EventPairs } from '../catalogue/pairs.ts';
import type { EndpointView } from './endpoint.ts';
import type { EndpointFields } from './endpoint-fields.ts';
import type { EndpointHealth, SealingKeyCount } from './endpoint-store.ts';
import type { ResealOutcome } from './reseal.ts';

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
  /** A pull endpoint has no secret. */
  | Failure<'wrong_kind'>
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
export interface EndpointInput<P extends EventPairs = EventPairs>
  extends Omit<GivenFields<EndpointFields, 'created'>, 'events' | 'kind' | 'url'> {
  /** Events are sent to `url`. @defaultValue 'push' */
  readonly kind?: 'push';
  /** HTTPS URL that deliveries are sent to, at most 2048 characters, without user name, password and fragment. */
  readonly url: string;
  /** At least one selector: an event type of any object, or a pair such as `RequestSecurityDeposit.creation`. */
  readonly events: readonly EventSelector<P>[];
}

/**
 * The fields of a new pull endpoint: a program of the partner asks for its events.
 * @public
 */
export interface PullEndpointInput<P extends EventPairs = EventPairs>
  extends Pick<EndpointInput<P>, 'events' | 'label' | 'includeChildren' | 'profile'> {
  readonly kind: 'pull';
}

/**
 * The fields of an endpoint to change. An absent field stays as it is; `null` removes one that may be absent.
 * @public
 */
export interface EndpointUpdate<P extends EventPairs = EventPairs>
  extends Omit<GivenFields<EndpointFields, 'changed'>, 'events'> {
  /** At least one selector. */
  readonly events?: readonly EventSelector<P>[];
}

/**
 * An endpoint and its new webhook secret. Show the secret once: only its ciphertext is stored.
 * @public
 */
export interface NewWebhookSecret<P extends EventPairs = EventPairs> {
  readonly endpoint: EndpointView<P>;
  /** The secret: `whsec_` and 192 random bits in Base64. */
  readonly secret: string;
}

/**
 * Manages webhook endpoints, as the web interface of the host does. Each method takes the acting account; endpoints of
 * other accounts return `not_found`. Each change is signalled as `endpoint`.
 * @public
 */
export interface Endpoints<P extends EventPairs = EventPairs> {
  /**
   * Makes an enabled pull endpoint, whose events `events.pull` reads. It has no secret.
   * @example
   * const created = await kit.endpoints.create(accountId, { kind: 'pull', events: ['payed'], label: 'ledger' });
   */
  create(
    accountId: string,
    input: PullEndpointInput<P>,
    options?: ActorOptions,
  ): ResultAsync<{ readonly endpoint: EndpointView<P> }, EndpointFailure>;
  /**
   * Makes an enabled endpoint with its secret. `accounts.find` must know the account.
   * @example
   * const created = await kit.endpoints.create(accountId, { url: 'https://partner.example/hooks', events: ['payed'] });
   * if (created.isOk()) showOnce(created.value.endpoint.id, created.value.secret);
   */
  create(
    accountId: string,
    input: EndpointInput<P>,
    options?: ActorOptions,
  ): ResultAsync<NewWebhookSecret<P>, EndpointFailure>;
  /** Reads an endpoint. */
  find(accountId: string, endpointId: string): ResultAsync<EndpointView<P>, EndpointFailure>;
  /** Lists the endpoints of an account. */
  list(accountId: string, options?: ListOptions): ResultAsync<Page<EndpointView<P>>, EndpointFailure>;
  /**
   * Reads the health of endpoints, at most 100. An endpoint that works, or that the account does not have, is left
   * out.
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
    options?: ChangeOptions,
  ): ResultAsync<EndpointView<P>, EndpointFailure>;
  /**
   * Enables an endpoint and resets its health. Held deliveries continue, oldest first: at once, or when their next
   * attempt is due.
   */
  enable(accountId: string, endpointId: string, options?: ChangeOptions): ResultAsync<EndpointView<P>, EndpointFailure>;
  /**
   * Ends a pause of an endpoint, by the breaker or by the receiver's `Retry-After`. After a pause by the breaker, one
   * delivery is sent as a probe; its success lets all others continue. An endpoint that is not paused stays as it is.
   */
  resume(accountId: string, endpointId: string, options?: ChangeOptions): ResultAsync<EndpointView<P>, EndpointFailure>;
  /**
   * Disables an endpoint. Its unfinished deliveries are held; new events make no deliveries for it.
   * Its health names who did: the partner, when the actor is a user or a client, else the host.
   */
  disable(
    accountId: string,
    endpointId: string,
    options?: ChangeOptions,
  ): ResultAsync<EndpointView<P>, EndpointFailure>;
  /** First step of a rotation: makes the next secret while the current one signs. Replaces an earlier next secret. */
  prepareSecret(
    accountId: string,
    endpointId: string,
    options?: ChangeOptions,
  ): ResultAsync<NewWebhookSecret<P>, EndpointFailure>;
  /** Second step of a rotation: the next secret signs from `at` on. */
  activateSecret(
    accountId: string,
    endpointId: string,
    options?: ChangeOptions & {
      /** When it begins to sign, in milliseconds since 1970. @defaultValue now */
      readonly at?: EpochMs | undefined;
    },
  ): ResultAsync<EndpointView<P>, EndpointFailure>;
  /** Drops the next secret; the current one keeps signing. */
  cancelSecret(
    accountId: string,
    endpointId: string,
    options?: ChangeOptions,
  ): ResultAsync<EndpointView<P>, EndpointFailure>;
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
  reseal(
    options?: ActorOptions & Pick<PageRequest, 'after' | 'limit'>,
  ): ResultAsync<ResealOutcome, InvalidCursor | Unavailable>;
  /** Counts endpoints of all accounts by sealing key. A key that is not listed can be removed from `sealingKeys`. */
  countBySealingKey(): ResultAsync<readonly SealingKeyCount[], Unavailable>;
  /** Deletes an endpoint; its unfinished deliveries expire. */
  delete(accountId: string, endpointId: string, options?: ChangeOptions): ResultAsync<void, EndpointFailure>;
}
