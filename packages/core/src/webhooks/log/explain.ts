import { err, ok, type Result } from '#result';
import { type Failure, failure } from '../../base/runtime/failure.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { isSelected } from '../catalogue/event-selector.ts';
import type { SendOutcome } from '../deliveries/sender.ts';
import type { DisabledBy } from '../endpoints/endpoint.ts';
import type { DeliveryFact, EndpointSnapshot, ExpiryReason, ExplainSnapshot } from './explain-snapshot.ts';

/**
 * The delivery that explains what became of an event.
 * @public
 */
export interface ExplainedDelivery {
  /** The delivery's id. */
  readonly deliveryId: string;
  /** Attempts that count. */
  readonly attempts: number;
  /** The last outcome; absent before the first attempt. */
  readonly last?: SendOutcome;
  /**
   * After an attempt that failed as `internal`: the id of the sealing key that does not open a value of the endpoint.
   * It is missing in `sealingKeys`, or another key has its id there. The management API does not show it.
   */
  readonly unopenedKeyId?: string;
}

/**
 * What became of an event for an endpoint.
 *
 * With a delivery:
 *
 * - `delivered`: an attempt was confirmed.
 * - `exhausted`: the last attempt failed.
 * - `waiting`: an attempt is due, or in flight.
 * - `paused`: the breaker or the receiver's `Retry-After` pauses the endpoint.
 * - `sending_paused`: the host pauses sending to the endpoint, until it resumes.
 * - `held`: the endpoint is disabled.
 * - `expired`: it ended without delivery.
 *
 * Without a delivery:
 *
 * - `for_another`: it is a test event of another endpoint.
 * - `not_dispatched_yet`: no worker has dispatched the event.
 * - `not_propagated_yet`: it is an event of a child account, whose parent no worker has looked up yet.
 * - `not_subscribed`, `children_not_included`, `disabled_then`, `created_later`, `deleted_before`: the endpoint's
 *   state when the event was dispatched.
 * - `forgotten`: too long ago; whether there was a delivery is unknown.
 *
 * For a pull endpoint:
 *
 * - `not_pulled_yet`: the event is in its feed.
 * - `pulled`: its program has asked for what comes after the event. Known after a minute at most.
 * @public
 */
export type Explanation =
  | (ExplainedDelivery &
      (
        | {
            readonly kind: 'delivered' | 'exhausted';
            /** When the last attempt ended. */
            readonly at: EpochMs;
          }
        | {
            readonly kind: 'waiting';
            /** When the attempt is due. In the past while it is in flight, or while no worker has capacity. */
            readonly dueAt: EpochMs;
          }
        | {
            readonly kind: 'paused';
            /** End of the pause. */
            readonly until: EpochMs;
          }
        | {
            readonly kind: 'sending_paused';
            /** Since when. */
            readonly since: EpochMs;
          }
        | {
            readonly kind: 'held';
            /** Since when the delivery is held. */
            readonly since: EpochMs;
            /** Why the endpoint is disabled. */
            readonly by: DisabledBy;
          }
        | {
            readonly kind: 'expired';
            /** When it expired. */
            readonly at: EpochMs;
            /** Why it expired. */
            readonly reason: ExpiryReason;
          }
      ))
  | {
      readonly kind:
        | 'not_dispatched_yet'
        | 'not_propagated_yet'
        | 'children_not_included'
        | 'forgotten'
        | 'not_pulled_yet'
        | 'pulled';
    }
  | {
      readonly kind: 'for_another';
      /** The endpoint of the test event. */
      readonly endpointId: string;
    }
  | {
      readonly kind: 'not_subscribed';
      /** The events that the endpoint selected then. */
      readonly events: readonly string[];
    }
  | {
      readonly kind: 'disabled_then';
      /** Since when the endpoint had the settings that it had then. */
      readonly since: EpochMs;
    }
  | {
      readonly kind: 'created_later' | 'deleted_before';
      /** When the endpoint was created or deleted. */
      readonly at: EpochMs;
    };

const isFinished = ({ state }: DeliveryFact): boolean => ['delivered', 'exhausted', 'expired'].includes(state);

/** The delivery that explains the event: a delivered one, else an unfinished one, else the last. */
const decisive = (deliveries: readonly DeliveryFact[]): DeliveryFact | undefined =>
  deliveries.find(({ state }) => state === 'delivered') ??
  deliveries.find((each) => !isFinished(each)) ??
  deliveries.at(-1);

const explainDelivery = (fact: DeliveryFact, { now, endpoint }: ExplainSnapshot): Explanation => {
  const { id: deliveryId, attempts, last } = fact;
  const explained: ExplainedDelivery = { deliveryId, attempts, ...(last ? { last } : {}) };
  switch (fact.state) {
    case 'waiting': {
      const { pausedUntil = 0 } = endpoint ?? {};
      return pausedUntil > Math.max(now, fact.dueAt)
        ? { ...explained, kind: 'paused', until: pausedUntil }
        : { ...explained, kind: 'waiting', dueAt: fact.dueAt };
    }
    case 'held':
      return { ...explained, kind: 'held', since: fact.since, by: endpoint?.disabledBy ?? 'partner' };
    case 'expired':
      return { ...explained, kind: 'expired', at: fact.since, reason: fact.reason };
    default:
      return { ...explained, kind: fact.state, at: fact.since };
  }
};

const explainAbsence = (then: EndpointSnapshot, ofChild: boolean): Explanation => {
  if (then.kind !== 'there') return then;
  if (then.state === 'disabled') return { kind: 'disabled_then', since: then.since };
  if (ofChild && !then.includeChildren) return { kind: 'children_not_included' };
  return { kind: 'not_subscribed', events: then.events };
};

/**
 * Explains what became of an event for an endpoint.
 * @public
 */
export const explain = (
  snapshot: ExplainSnapshot,
  endpointId: string,
): Result<Explanation, Failure<'no_such_event' | 'no_such_endpoint'>> => {
  const { event, endpoint, deliveries } = snapshot;
  if (!event) return err(failure('no_such_event'));
  const delivery = decisive(deliveries);
  if (delivery) return ok(explainDelivery(delivery, snapshot));
  if (!endpoint) return err(failure('no_such_endpoint'));
  const { onlyTo, origin } = event;
  if (onlyTo !== undefined && onlyTo !== endpointId) return ok({ kind: 'for_another', endpointId: onlyTo });
  const then = event.endpointSnapshot;
  if (!then) return ok({ kind: 'not_dispatched_yet' });
  // It was sent, and the delivery was pruned.
  const wasSent =
    then.kind === 'there' &&
    then.state !== 'disabled' &&
    (onlyTo !== undefined || isSelected(then.events, event)) &&
    (origin === undefined || then.includeChildren);
  return ok(wasSent ? { kind: 'forgotten' } : explainAbsence(then, origin !== undefined));
};
