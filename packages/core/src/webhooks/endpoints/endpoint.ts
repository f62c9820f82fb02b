import type { Sealed } from '../../base/crypto/seal.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { EventSelector } from '../catalogue/event-selector.ts';
import type { EventPairs } from '../catalogue/pairs.ts';
import type { SpecifiedPairs } from '../catalogue/specification.ts';

/**
 * Whether an endpoint receives events.
 * @public
 */
export type EndpointState =
  /** Events are delivered. */
  | 'enabled'
  /** Disabled by a command: nothing is sent, and new events make no deliveries for it. */
  | 'disabled'
  /** Disabled by the breaker: nothing is sent; deliveries of new events are held. */
  | 'disabled_by_breaker';

/**
 * Why an endpoint is disabled.
 *
 * - `partner`: a person of its account disabled it.
 * - `host`: the platform disabled it, in a call without the actor of a person.
 * - `failing`: the breaker disabled it after days of failures.
 * - `gone`: the breaker disabled it after a response 410.
 * @public
 */
export type DisabledBy = 'partner' | 'host' | 'failing' | 'gone';

/**
 * A partner's webhook endpoint, as stored (specification §5.2, §6.1).
 * @public
 */
export interface Endpoint {
  /** A UUID. */
  readonly id: string;
  /** The account that the endpoint belongs to. */
  readonly accountId: string;
  /** Its id in the system from which it was imported. Absent: partnerkit made it. */
  readonly reference?: string;
  /** HTTPS URL that deliveries are sent to, as it was registered: not in its normal form. */
  readonly url: string;
  /** The events that it receives: by type, or by object and type. */
  readonly events: readonly string[];
  /** Whether it receives events. */
  readonly state: EndpointState;
  /** While it is `disabled`: the host disabled it. Absent: its partner did. Changes only together with `state`. */
  readonly disabledBy?: 'host';
  /** Free text, such as the partner's environment. */
  readonly label?: string;
  /** Whether deliveries carry the headers of Standard Webhooks beside `X-WEBHOOK-SIGNATURE`. */
  readonly standardWebhooks: boolean;
  /** The profile of its requests, among those of the kit. Absent: the kit's own. */
  readonly profile?: string;
  /** Whether it also receives the events of the account's direct children. */
  readonly includeChildren: boolean;
  /** When it was made. */
  readonly createdAt: EpochMs;
  /** The secret that signs, sealed. */
  readonly secret: Sealed;
  /** The secret that signs from `activateNextAt` on, sealed. */
  readonly nextSecret?: Sealed;
  /** When `nextSecret` replaces `secret`. Absent: not activated yet. */
  readonly activateNextAt?: EpochMs;
  /** Static header of every delivery. */
  readonly deliveryHeader?: {
    /** Name of the header. */
    readonly name: string;
    /** Value of the header, sealed. */
    readonly value: Sealed;
  };
  /** Incremented by each change, for compare-and-swap. */
  readonly version: number;
}

/**
 * An endpoint without its sealed values, for display.
 * @public
 */
export type EndpointView<P extends EventPairs = SpecifiedPairs> = Omit<
  Endpoint,
  'events' | 'secret' | 'nextSecret' | 'deliveryHeader' | 'disabledBy'
> & {
  /** The events that it receives: by type, or by object and type. */
  readonly events: readonly EventSelector<P>[];
  /** Name of the delivery header. */
  readonly deliveryHeaderName?: string;
  /** Whether a next secret is prepared and not active yet. */
  readonly rotating: boolean;
};

/** @internal */
export const viewEndpoint = ({
  secret: _secret,
  disabledBy: _ofHealth,
  nextSecret,
  deliveryHeader,
  ...endpoint
}: Endpoint): EndpointView<EventPairs> => ({
  ...endpoint,
  rotating: nextSecret !== undefined,
  ...(deliveryHeader ? { deliveryHeaderName: deliveryHeader.name } : {}),
});
