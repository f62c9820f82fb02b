import type { EpochMs } from '../../base/runtime/time.ts';
import type { SendOutcome } from '../deliveries/sender.ts';
import type { DisabledBy, EndpointState } from '../endpoints/endpoint.ts';

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
