import type { EventType, ObjectName } from '../catalogue/catalogue.ts';
import type { ShardRange } from './delivery-store.ts';

/**
 * A dispatched event that may interest the parent of its account.
 * @public
 */
export interface PropagatedEvent {
  readonly shard: number;
  readonly accountId: string;
  /** Its place: the store's own text. */
  readonly position: string;
  readonly eventId: string;
  readonly objectName: ObjectName;
  readonly type: EventType;
}

/**
 * Port: dispatched events on their way to the endpoints of a parent. Who the parent is only the host knows, so it is asked between the two
 * calls, and no transaction waits for it.
 *
 * - `DeliveryStore.stamp` adds the events that `propagates`, in its own act and in their order.
 * - Events that wait here are not pruned.
 * @public
 */
export interface ParentPropagation {
  /**
   * - Events that wait, up to `limit`: the ranges in the order given; within one accounts in order, and of an account the events in the order
   *   in which they were dispatched.
   */
  readPropagated(ranges: readonly ShardRange[], limit: number): Promise<readonly PropagatedEvent[]>;
  /**
   * - Takes the events away, as one act. Those that are gone already are left out.
   * - Of each with a `parentId` a copy is added to the parent's outbox, in the order given: with the same id, object, type, body tail and
   *   trace context, `origin`, and the second that was stamped as `occurredAt`. Whoever races, one copy is made.
   * - Wakes those who watch.
   * - Fenced, as `DeliveryStore` is.
   */
  propagate(
    workerId: string,
    events: readonly (PropagatedEvent & { readonly parentId?: string })[],
  ): Promise<'stored' | 'fenced'>;
}
