import type { ShardRange } from './delivery-store.ts';

/**
 * A dispatched event that may be copied to the parent of its account.
 * @public
 */
export interface PropagatedEvent {
  /** The shard of the account. */
  readonly shard: number;
  readonly accountId: string;
  /** Its position: an opaque text of the store. */
  readonly position: string;
  readonly eventId: string;
  /** The kind of object. */
  readonly objectName: string;
  /** The event type. */
  readonly type: string;
}

/**
 * Port: dispatched events to copy to the parent of their account. Only the host's directory knows the parent. Core
 * calls it between the two methods, so that no transaction waits for it.
 *
 * - `DeliveryStore.dispatch` adds events with `propagates`, in its own transaction and in their order.
 * - Waiting events are not pruned.
 * @public
 */
export interface ParentPropagation {
  /**
   * Reads waiting events, at most `limit`.
   *
   * - Ranges come in the given order; within a range, accounts in order; within an account, events in order of
   *   dispatch.
   */
  readPropagated(ranges: readonly ShardRange[], limit: number): Promise<readonly PropagatedEvent[]>;
  /**
   * Removes the events, in one transaction; ignores absent ones.
   *
   * - For each event with a `parentId`, adds a copy to the parent's outbox, in the given order.
   * - A copy has the same id, object, type, body tail and trace context, `origin`, and the timestamp of the dispatch as
   *   `occurredAt`.
   * - Of N simultaneous calls, exactly one creates the copy.
   * - Wakes watchers.
   * - Resolves to `'fenced'` as `DeliveryStore` does.
   */
  propagate(
    workerId: string,
    events: readonly (PropagatedEvent & {
      /** The parent that receives the copy. Absent: no copy. */
      readonly parentId?: string;
    })[],
  ): Promise<'stored' | 'fenced'>;
}
