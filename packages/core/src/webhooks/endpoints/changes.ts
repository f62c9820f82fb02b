import type { z } from 'zod';
import { err, ok, type Result } from '#result';
import type { Sealed } from '../../base/crypto/seal.ts';
import { mergePatch } from '../../base/fields/merge-patch.ts';
import { type Failure, failure, type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { Endpoint, EndpointState } from './endpoint.ts';
import type { EndpointReader } from './endpoint-input.ts';
import { isPulled, pullProblem } from './endpoint-kind.ts';
import { originOf } from './origin.ts';

/** What an update changes, read by the fields. The delivery header is sealed for the changed endpoint. */
type ChangedFields = Omit<z.output<ReturnType<EndpointReader['schemas']>['changed']>, 'events' | 'deliveryHeader'> & {
  readonly events?: Endpoint['events'] | undefined;
  readonly deliveryHeader?: ((changed: Endpoint) => NonNullable<Endpoint['deliveryHeader']>) | null | undefined;
};

export type EndpointChange = (
  endpoint: Endpoint,
) => Result<Endpoint, Failure<'no_next_secret' | 'delivery_header_needed' | 'wrong_kind'> | InvalidInput>;

/** The endpoint at `now`: from `activateNextAt` on, the next secret is the secret. Activation needs no write. */
export const atTime = (endpoint: Endpoint, now: EpochMs): Endpoint => {
  const { nextSecret, activateNextAt, ...rest } = endpoint;
  return nextSecret !== undefined && activateNextAt !== undefined && activateNextAt <= now
    ? { ...rest, secret: nextSecret }
    : endpoint;
};

/** First step of a rotation: adds the next secret, or replaces an earlier one. */
export const prepareSecret =
  (nextSecret: Sealed, now: EpochMs): EndpointChange =>
  (stored) => {
    if (isPulled(stored)) return err(failure('wrong_kind'));
    const { activateNextAt: _replaced, ...endpoint } = atTime(stored, now);
    return ok({ ...endpoint, nextSecret });
  };

/** Second step of a rotation: the next secret signs from `at` on. */
export const activateSecret =
  (at: EpochMs, now: EpochMs): EndpointChange =>
  (stored) => {
    const endpoint = atTime(stored, now);
    return endpoint.nextSecret === undefined
      ? err(failure('no_next_secret'))
      : ok(atTime({ ...endpoint, activateNextAt: at }, now));
  };

export const cancelSecret =
  (now: EpochMs): EndpointChange =>
  (stored) => {
    const { nextSecret, activateNextAt: _cancelled, ...endpoint } = atTime(stored, now);
    return nextSecret === undefined ? err(failure('no_next_secret')) : ok(endpoint);
  };

/** Enables or disables an endpoint. Who disabled it first stays named. */
export const setState =
  (state: EndpointState, by: 'partner' | 'host' = 'partner'): EndpointChange =>
  ({ disabledBy, ...endpoint }) => {
    const named = endpoint.state === state ? disabledBy : by;
    return ok({ ...endpoint, state, ...(state === 'disabled' && named === 'host' ? { disabledBy: named } : {}) });
  };

/**
 * Removes a field that is `null`; an absent field stays. `deliveryHeader` seals the key for the changed endpoint. A
 * stored API key must not be sent to another origin: the caller gives it again, or removes it.
 */
export const update =
  ({ deliveryHeader: header, ...change }: ChangedFields): EndpointChange =>
  ({ deliveryHeader, ...endpoint }) => {
    const misfit = isPulled(endpoint) ? pullProblem({ ...change, deliveryHeader: header }) : undefined;
    if (misfit) return err(invalidField(misfit.field, misfit.rule));
    if (deliveryHeader && header === undefined && originOf(change.url ?? endpoint.url) !== originOf(endpoint.url))
      return err(failure('delivery_header_needed'));
    const changed = mergePatch({ ...endpoint }, change) as unknown as Endpoint;
    const nextHeader = header === undefined ? deliveryHeader : header?.(changed);
    return ok(nextHeader ? { ...changed, deliveryHeader: nextHeader } : changed);
  };
