import type { EventSelector } from '../catalogue/event-selector.ts';
import type { Sealed } from '../crypto/seal.ts';
import type { EpochMs } from '../runtime/time.ts';

/**
 * Whether an endpoint receives. Disabled by the partner: new events are not kept for it. Disabled by the breaker: they are
 * kept and held. In both states nothing is sent until it is enabled.
 * @public
 */
export type EndpointState = 'enabled' | 'disabled' | 'disabled_by_breaker';

/**
 * A partner's webhook endpoint, as stored (specification §5.2, §6.1).
 * @public
 */
export interface Endpoint {
  readonly id: string;
  readonly accountId: string;
  /** HTTPS. */
  readonly url: string;
  /** The events that it receives: by type, or by object and type. */
  readonly events: readonly EventSelector[];
  readonly state: EndpointState;
  /** Free text, such as the partner's environment. */
  readonly label?: string;
  /** Standard Webhooks headers are sent beside `X-WEBHOOK-SIGNATURE`. */
  readonly standardWebhooks: boolean;
  /** It receives the events of the account's direct children too. */
  readonly includeChildren: boolean;
  readonly createdAt: EpochMs;
  /** The secret that signs. */
  readonly secret: Sealed;
  /** The secret that signs from `activateNextAt` on, or once it is activated. */
  readonly nextSecret?: Sealed;
  readonly activateNextAt?: EpochMs;
  /** A static header that every delivery carries. */
  readonly apiKey?: { readonly header: string; readonly value: Sealed };
  /** Counts the changes, for compare-and-swap. */
  readonly version: number;
}

/**
 * An endpoint as a screen of the host may show it: without anything sealed.
 * @public
 */
export type EndpointView = Omit<Endpoint, 'secret' | 'nextSecret' | 'apiKey' | 'version'> & {
  /** The name of the API-key header. */
  readonly apiKeyHeader?: string;
  /** A next secret is prepared. */
  readonly rotating: boolean;
};

/** @internal */
export const viewEndpoint = ({
  secret: _secret,
  nextSecret,
  apiKey,
  version: _version,
  ...endpoint
}: Endpoint): EndpointView => ({
  ...endpoint,
  rotating: nextSecret !== undefined,
  ...(apiKey ? { apiKeyHeader: apiKey.header } : {}),
});

/** What can happen to an endpoint, as signals name it. @public */
export type EndpointChangeName =
  | 'created'
  | 'updated'
  | 'enabled'
  | 'disabled'
  | 'secret_prepared'
  | 'secret_activated'
  | 'secret_cancelled'
  | 'resealed'
  | 'deleted';
