import type { Sealed } from '../../base/crypto/seal.ts';
import type { StoredFields } from '../../base/fields/field.ts';
import type { EventSelector } from '../catalogue/event-selector.ts';
import type { EventPairs } from '../catalogue/pairs.ts';
import type { EndpointFields } from './endpoint-fields.ts';

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
export interface Endpoint extends StoredFields<EndpointFields> {
  /** The account that the endpoint belongs to. */
  readonly accountId: string;
  /** Its id in the system from which it was imported. Absent: partnerkit made it. */
  readonly reference?: string;
  /** Whether it receives events. */
  readonly state: EndpointState;
  /** While it is `disabled`: the host disabled it. Absent: its partner did. Changes only together with `state`. */
  readonly disabledBy?: 'host';
  /** The secret that signs, sealed. Absent: the endpoint is pulled. */
  readonly secret?: Sealed;
  /** The secret that replaces it, sealed. */
  readonly nextSecret?: Sealed;
  /** Incremented by each change, for compare-and-swap. */
  readonly version: number;
}

/**
 * An endpoint without its sealed values, for display.
 * @public
 */
export type EndpointView<P extends EventPairs = EventPairs> = Omit<
  Endpoint,
  'events' | 'secret' | 'nextSecret' | 'deliveryHeader' | 'disabledBy'
> & {
  /** The events that it receives: by type, or by object and type. */
  readonly events: readonly EventSelector<P>[];
  readonly deliveryHeaderName?: string;
  /** Whether a next secret is prepared and not active yet. */
  readonly rotating: boolean;
};

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
