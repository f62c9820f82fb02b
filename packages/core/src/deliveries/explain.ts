import { err, ok, type Result } from 'neverthrow';
import { isSelected } from '../catalogue/event-selector.ts';
import type { DisabledBy, EndpointState } from '../endpoints/endpoint.ts';
import { type Failure, failure } from '../runtime/failure.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { SendOutcome } from './sender.ts';

/**
 * An endpoint as of a past moment. `forgotten`: the store no longer has its history.
 * @public
 */
export type EndpointSnapshot =
  | {
      readonly kind: 'there';
      /** Its state. */
      readonly state: EndpointState;
      /** The events that it selected. */
      readonly events: readonly string[];
      /** Whether it received events of child accounts. */
      readonly includeChildren: boolean;
      /** Since when it had these values. */
      readonly since: EpochMs;
    }
  | {
      readonly kind: 'created_later' | 'deleted_before';
      /** When it was created or deleted. */
      readonly at: EpochMs;
    }
  | { readonly kind: 'forgotten' };

/**
 * Why a delivery expired.
 *
 * - `endpoint_deleted`: its endpoint was deleted.
 * - `held_too_long`: its endpoint stayed disabled (14 days by default, see `retention`).
 * - `out_of_reach`: the event's account is no longer a child of the endpoint's account.
 * @public
 */
export type ExpiryReason = 'endpoint_deleted' | 'held_too_long' | 'out_of_reach';

/** A delivery of the event to the endpoint, as of now. @public */
export type DeliveryFact = {
  /** The delivery's id. */
  readonly id: string;
  /** Attempts that count. */
  readonly attempts: number;
  /** The last outcome. Absent: no attempt was logged. */
  readonly last?: SendOutcome;
} & (
  | {
      readonly state: 'waiting';
      /** When the next attempt is due. */
      readonly dueAt: EpochMs;
    }
  | {
      readonly state: 'held' | 'delivered' | 'exhausted';
      /** When it entered the state. */
      readonly since: EpochMs;
    }
  | {
      readonly state: 'expired';
      /** When it expired. */
      readonly since: EpochMs;
      /** Why it expired. */
      readonly reason: ExpiryReason;
    }
);

/**
 * All facts that explain an event for an endpoint, as of one moment, by the store's clock.
 * @public
 */
export interface ExplainSnapshot {
  /** The moment. */
  readonly now: EpochMs;
  /** Absent: the account has no such event, or it was pruned. */
  readonly event?: {
    /** The kind of object. */
    readonly objectName: string;
    /** The event type. */
    readonly type: string;
    /** Test events: their only endpoint. */
    readonly onlyTo?: string;
    /** Copies: the child account of the original event. */
    readonly origin?: string;
    /** The endpoint when the event was dispatched. Absent: the event is not dispatched. */
    readonly endpointSnapshot?: EndpointSnapshot;
  };
  /** Without `event`: the account whose event of this id waits for its parent to be found. */
  readonly propagating?: string;
  /** Absent: the account has no such endpoint, or it was deleted too long ago. */
  readonly endpoint?: {
    /** Set while it is disabled. */
    readonly disabledBy?: DisabledBy;
    /** Set while it is paused. */
    readonly pausedUntil?: EpochMs;
  };
  /** In order of creation. */
  readonly deliveries: readonly DeliveryFact[];
}

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
  | { readonly kind: 'not_dispatched_yet' | 'not_propagated_yet' | 'children_not_included' | 'forgotten' }
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
