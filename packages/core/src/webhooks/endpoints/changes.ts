import { err, ok, type Result } from 'neverthrow';
import type { Sealed } from '../../base/crypto/seal.ts';
import { type Failure, failure, type InvalidInput } from '../../base/runtime/failure.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { Endpoint, EndpointState } from './endpoint.ts';
import { originOf } from './origin.ts';

/** @internal */
export type EndpointChange = (
  endpoint: Endpoint,
) => Result<Endpoint, Failure<'no_next_secret' | 'delivery_header_needed'> | InvalidInput>;

/**
 * The endpoint at `now`: from `activateNextAt` on, the next secret is the secret. Activation needs no write.
 * @internal
 */
export const atTime = (endpoint: Endpoint, now: EpochMs): Endpoint => {
  const { nextSecret, activateNextAt, ...rest } = endpoint;
  return nextSecret !== undefined && activateNextAt !== undefined && activateNextAt <= now
    ? { ...rest, secret: nextSecret }
    : endpoint;
};

/** First step of a rotation: adds the next secret, or replaces an earlier one. @internal */
export const prepareSecret =
  (nextSecret: Sealed, now: EpochMs): EndpointChange =>
  (stored) => {
    const { activateNextAt: _replaced, ...endpoint } = atTime(stored, now);
    return ok({ ...endpoint, nextSecret });
  };

/** Second step of a rotation: the next secret signs from `at` on. @internal */
export const activateSecret =
  (at: EpochMs, now: EpochMs): EndpointChange =>
  (stored) => {
    const endpoint = atTime(stored, now);
    return endpoint.nextSecret === undefined
      ? err(failure('no_next_secret'))
      : ok(atTime({ ...endpoint, activateNextAt: at }, now));
  };

/** @internal */
export const cancelSecret =
  (now: EpochMs): EndpointChange =>
  (stored) => {
    const { nextSecret, activateNextAt: _cancelled, ...endpoint } = atTime(stored, now);
    return nextSecret === undefined ? err(failure('no_next_secret')) : ok(endpoint);
  };

/** Enables or disables an endpoint. Who disabled it first stays named. @internal */
export const setState =
  (state: EndpointState, by: 'partner' | 'host' = 'partner'): EndpointChange =>
  ({ disabledBy, ...endpoint }) => {
    const named = endpoint.state === state ? disabledBy : by;
    return ok({ ...endpoint, state, ...(state === 'disabled' && named === 'host' ? { disabledBy: named } : {}) });
  };

/**
 * Removes a field that is `null`; an absent field stays. `deliveryHeader` seals the key for the changed endpoint. A
 * stored API key must not be sent to another origin: the caller gives it again, or removes it.
 * @internal
 */
export const update =
  (change: {
    readonly url?: Endpoint['url'] | undefined;
    readonly events?: Endpoint['events'] | undefined;
    readonly standardWebhooks?: boolean | undefined;
    readonly profile?: string | null | undefined;
    readonly includeChildren?: boolean | undefined;
    readonly label?: string | null | undefined;
    readonly deliveryHeader?: ((changed: Endpoint) => NonNullable<Endpoint['deliveryHeader']>) | null | undefined;
  }): EndpointChange =>
  ({ label, deliveryHeader, profile, ...endpoint }) => {
    const url = change.url ?? endpoint.url;
    if (deliveryHeader && change.deliveryHeader === undefined && originOf(url) !== originOf(endpoint.url))
      return err(failure('delivery_header_needed'));
    const nextLabel = change.label === undefined ? label : change.label;
    const nextProfile = change.profile === undefined ? profile : change.profile;
    const changed: Endpoint = {
      ...endpoint,
      url,
      events: change.events ?? endpoint.events,
      standardWebhooks: change.standardWebhooks ?? endpoint.standardWebhooks,
      includeChildren: change.includeChildren ?? endpoint.includeChildren,
      ...(nextLabel == null ? {} : { label: nextLabel }),
      ...(nextProfile == null ? {} : { profile: nextProfile }),
    };
    const nextDeliveryHeader = change.deliveryHeader === undefined ? deliveryHeader : change.deliveryHeader?.(changed);
    return ok(nextDeliveryHeader ? { ...changed, deliveryHeader: nextDeliveryHeader } : changed);
  };
