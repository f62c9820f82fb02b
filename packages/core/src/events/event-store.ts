import type { EventType, ObjectName } from '../catalogue/catalogue.ts';
import type { PageRequest, StoredPage } from '../runtime/page.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { NewEvent, StampedEvent } from './event.ts';

/**
 * What became of an appended event.
 * @public
 */
export type AppendOutcome =
  | { readonly kind: 'stored' }
  | {
      /** The idempotency key was used before: by the same content, or by other. */
      readonly kind: 'replayed' | 'conflict';
      /** The event that holds the key. */
      readonly eventId: string;
    };

/**
 * Which events to list: those that fit all that is given.
 * @public
 */
export interface EventFilter {
  readonly objectName?: ObjectName;
  /** `data.id`. */
  readonly objectId?: string;
  readonly type?: EventType;
  /** Published at or after it, by the clock of whoever published. */
  readonly from?: EpochMs;
  /** Published before it. */
  readonly to?: EpochMs;
}

/**
 * Port: events.
 * @public
 */
export interface EventStore<Tx extends object> {
  /**
   * Inserts rows inside `tx` and touches nothing else: no endpoint is read, no other publisher is waited for unless both use
   * the same idempotency key, no second connection is taken. A used key is an outcome, never an error (`rest` decides
   * whether the content is the same): `tx` stays usable. One outcome for each event, in order; with a `conflict` among them none of
   * the events was inserted. Rejects when `tx` has ended. Where it is no open
   * transaction, the error has the `code` `no_transaction`, and a message that says what to hand over.
   */
  append(tx: Tx, events: readonly NewEvent[]): Promise<readonly AppendOutcome[]>;
  /** The same in a transaction of its own, for a store to which that costs less than `transaction`. Absent: core opens one. */
  appendAlone?(events: readonly NewEvent[]): Promise<readonly AppendOutcome[]>;
  /**
   * Events of this account that were committed. A filtered page looks at a bounded number of events, as those of
   * `DeliveryLog` do.
   */
  listEvents(accountId: string, page: PageRequest, filter?: EventFilter): Promise<StoredPage<NewEvent | StampedEvent>>;
}
