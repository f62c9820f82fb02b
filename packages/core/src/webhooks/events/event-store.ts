import type { PageRequest, StoredPage } from '../../base/pagination/page.ts';
import type { EventPairs } from '../catalogue/pairs.ts';
import type { DispatchedEvent, ListedEvent, NewEvent } from './event.ts';
import type { EventFilter } from './event-filter.ts';

/**
 * Outcome of an appended event.
 * @public
 */
export type AppendOutcome =
  /** The event is stored. */
  | { readonly kind: 'stored' }
  | {
      /** The idempotency key was used before, with the same content (`replayed`) or other content (`conflict`). */
      readonly kind: 'replayed' | 'conflict';
      /** The event that holds the key. */
      readonly eventId: string;
    };

/**
 * Port: events.
 * @public
 */
export interface EventStore<Tx extends object> {
  /**
   * Inserts events inside `tx`.
   *
   * - Reads no endpoint and takes no second connection.
   * - Waits for another publisher only when both use the same idempotency key.
   * - A used key is an outcome, not an error: `tx` stays usable. Equal `bodyTail` means equal content.
   * - Returns one outcome for each event, in order; with a `conflict` among them, none of the events is inserted.
   * - Rejects when `tx` has ended.
   * - Rejects with the `code` `no_transaction` and the remedy as message when `tx` is not an open transaction.
   */
  append(tx: Tx, events: readonly NewEvent[]): Promise<readonly AppendOutcome[]>;
  /** `append` in a transaction of its own, for stores where that costs less. Absent: core calls `transaction`. */
  appendAlone?(events: readonly NewEvent[]): Promise<readonly AppendOutcome[]>;
  /**
   * Lists the committed events of an account.
   *
   * - Reads and returns no bodies: a page of them may have 25 MB.
   * - A filtered page reads a bounded number of events, as those of `DeliveryLog`.
   */
  listEvents(accountId: string, page: PageRequest, filter?: EventFilter<EventPairs>): Promise<StoredPage<ListedEvent>>;
  /** Reads a committed event of an account with its body; `undefined` when there is none, or it was pruned. */
  findEvent(accountId: string, eventId: string): Promise<NewEvent | DispatchedEvent | undefined>;
}
