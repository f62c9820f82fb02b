import type { Clients } from '../../access/clients/clients.ts';
import type { Actor } from '../../base/signals/actor.ts';
import type { ObjectDefinition } from '../../webhooks/catalogue/define-object.ts';
import type { EventPairs } from '../../webhooks/catalogue/pairs.ts';
import type { SpecifiedPairs } from '../../webhooks/catalogue/specification.ts';
import type { Endpoints } from '../../webhooks/endpoints/endpoints.ts';
import type { Events } from '../../webhooks/events/publish.ts';
import type { Deliveries } from '../../webhooks/log/deliveries.ts';

/**
 * On whose behalf calls are made, and for which versions.
 * @public
 */
export interface CallContext {
  /** Who makes the changes; signals name it as `by`. @defaultValue `{ type: 'host' }` */
  readonly actor?: Actor;
  /**
   * The versions that a client or endpoint may have when it is changed; another version is a `version_mismatch`.
   * @defaultValue any
   */
  readonly ifVersion?: readonly number[];
}

/**
 * The calls that `kit.with` binds to a context.
 * @public
 */
export interface ManagedBy<D extends ObjectDefinition, P extends EventPairs = SpecifiedPairs> {
  /** Manages clients and their secrets. */
  readonly clients: Clients;
  /** Manages webhook endpoints. */
  readonly endpoints: Endpoints<P>;
  /** Sends test events, lists and reads events. */
  readonly events: Pick<Events<object, D, P>, 'sendTest' | 'list' | 'find'>;
  /** Reads, explains and sends deliveries again. */
  readonly deliveries: Deliveries<P>;
}
