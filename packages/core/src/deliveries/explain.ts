import { err, ok, type Result } from 'neverthrow';
import type { EventType, ObjectName } from '../catalogue/catalogue.ts';
import { type EventSelector, isSelected } from '../catalogue/event-selector.ts';
import type { EndpointState } from '../endpoints/endpoint.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { SendOutcome } from './sender.ts';

/** Who disabled an endpoint: its partner; or the breaker, because it failed for days or answered 410. @public */
export type DisabledBy = 'partner' | 'failing' | 'gone';

/** An endpoint as it stood at some moment. @public */
export type EndpointThen =
  | {
      readonly kind: 'there';
      readonly state: EndpointState;
      readonly events: readonly EventSelector[];
      readonly includeChildren: boolean;
      /** Since when it stood like this. */
      readonly since: EpochMs;
    }
  | { readonly kind: 'created_later' | 'deleted_before'; readonly at: EpochMs }
  /** So long ago that the store no longer knows. */
  | { readonly kind: 'forgotten' };

/**
 * Why a delivery expired: its endpoint was deleted, it was held for too long, or the account of its event is no child of the endpoint's any
 * more.
 * @public
 */
export type ExpiredBecause = 'endpoint_deleted' | 'held_too_long' | 'out_of_reach';

/** A delivery of the event to the endpoint, as it stands. @public */
export type DeliveryFact = {
  readonly id: string;
  /** Those that count. */
  readonly attempts: number;
  /** What came last. */
  readonly last?: SendOutcome;
} & (
  | { readonly state: 'waiting'; readonly dueAt: EpochMs }
  | { readonly state: 'held' | 'delivered' | 'exhausted'; readonly since: EpochMs }
  | { readonly state: 'expired'; readonly since: EpochMs; readonly why: ExpiredBecause }
);

/**
 * All that explains what became of an event for an endpoint, of one moment and by the store's clock.
 * @public
 */
export interface ExplainSnapshot {
  readonly now: EpochMs;
  /** Absent: the account has no such event, or has it no more. */
  readonly event?: {
    readonly objectName: ObjectName;
    readonly type: EventType;
    /** The one endpoint that it is for: a test event. */
    readonly onlyTo?: string;
    /** The child account that it happened to. */
    readonly origin?: string;
    /** The endpoint at the moment when the event was dispatched. Absent: it was not dispatched yet. */
    readonly endpointThen?: EndpointThen;
  };
  /** Without the event: the account whose event of this id waits for its parent to be found. */
  readonly propagating?: string;
  /** Absent: the account has no such endpoint, or had it too long ago. */
  readonly endpoint?: {
    /** While it is disabled. */
    readonly disabledBy?: DisabledBy;
    /** While it is paused. */
    readonly pausedUntil?: EpochMs;
  };
  /** In the order in which they were made. */
  readonly deliveries: readonly DeliveryFact[];
}

/** What is known of a delivery that explains something. @public */
export interface Explained {
  readonly deliveryId: string;
  /** How many attempts counted. */
  readonly attempts: number;
  /** What came last; absent before the first attempt. */
  readonly last?: SendOutcome;
}

/**
 * What became of an event for an endpoint.
 *
 * Of a delivery: `delivered` or `exhausted` (`at`), `waiting` for its time or being attempted, `paused` because the breaker
 * leaves the endpoint alone or its receiver asked for that, `held` because the endpoint is disabled, `expired`.
 *
 * Without one: `for_another`: it is a test event of another endpoint. `not_dispatched_yet`: a worker has not come by. `not_propagated_yet`: it happened to a
 * child, and a worker has not found out yet whose. `not_subscribed`, `children_not_included`, `disabled_then`, `created_later`, `deleted_before`: so
 * the endpoint stood when the event was dispatched. `forgotten`: there was one, or there was not; it is too long ago.
 * @public
 */
export type Explanation =
  | (Explained &
      (
        | { readonly kind: 'delivered' | 'exhausted'; readonly at: EpochMs }
        | { readonly kind: 'waiting'; readonly dueAt: EpochMs }
        | { readonly kind: 'paused'; readonly until: EpochMs }
        | { readonly kind: 'held'; readonly since: EpochMs; readonly by: DisabledBy }
        | { readonly kind: 'expired'; readonly at: EpochMs; readonly why: ExpiredBecause }
      ))
  | { readonly kind: 'not_dispatched_yet' | 'not_propagated_yet' | 'children_not_included' | 'forgotten' }
  | { readonly kind: 'for_another'; readonly endpointId: string }
  | { readonly kind: 'not_subscribed'; readonly events: readonly EventSelector[] }
  | { readonly kind: 'disabled_then'; readonly since: EpochMs }
  | { readonly kind: 'created_later' | 'deleted_before'; readonly at: EpochMs };

const isFinished = ({ state }: DeliveryFact): boolean => ['delivered', 'exhausted', 'expired'].includes(state);

/** The one that matters: it arrived, or it may yet, or it is the last that did not. */
const decisive = (deliveries: readonly DeliveryFact[]): DeliveryFact | undefined =>
  deliveries.find(({ state }) => state === 'delivered') ??
  deliveries.find((each) => !isFinished(each)) ??
  deliveries.at(-1);

const explainDelivery = (fact: DeliveryFact, { now, endpoint }: ExplainSnapshot): Explanation => {
  const { id: deliveryId, attempts, last } = fact;
  const explained: Explained = { deliveryId, attempts, ...(last ? { last } : {}) };
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
      return { ...explained, kind: 'expired', at: fact.since, why: fact.why };
    default:
      return { ...explained, kind: fact.state, at: fact.since };
  }
};

const explainAbsence = (then: EndpointThen, ofChild: boolean): Explanation => {
  if (then.kind !== 'there') return then;
  if (then.state === 'disabled') return { kind: 'disabled_then', since: then.since };
  if (ofChild && !then.includeChildren) return { kind: 'children_not_included' };
  return { kind: 'not_subscribed', events: then.events };
};

/**
 * Why an event did not reach an endpoint, or that it did.
 * @public
 */
export const explain = (
  snapshot: ExplainSnapshot,
  endpointId: string,
): Result<Explanation, { readonly code: 'no_such_event' | 'no_such_endpoint' }> => {
  const { event, endpoint, deliveries } = snapshot;
  if (!event) return err({ code: 'no_such_event' });
  const delivery = decisive(deliveries);
  if (delivery) return ok(explainDelivery(delivery, snapshot));
  if (!endpoint) return err({ code: 'no_such_endpoint' });
  const { onlyTo, origin } = event;
  if (onlyTo !== undefined && onlyTo !== endpointId) return ok({ kind: 'for_another', endpointId: onlyTo });
  const then = event.endpointThen;
  if (!then) return ok({ kind: 'not_dispatched_yet' });
  // It was sent there, and that delivery is dropped already.
  const wasSent =
    then.kind === 'there' &&
    then.state !== 'disabled' &&
    (onlyTo !== undefined || isSelected(then.events, event)) &&
    (origin === undefined || then.includeChildren);
  return ok(wasSent ? { kind: 'forgotten' } : explainAbsence(then, origin !== undefined));
};
