import type { EventFilter } from '../events/event-store.ts';
import type { PageRequest, StoredPage } from '../runtime/page.ts';
import type { DurationMs, EpochMs } from '../runtime/time.ts';
import type { DeliveryFacts } from './explain.ts';
import type { SendOutcome } from './sender.ts';

/**
 * One event for one endpoint, as operators see it.
 *
 * `waiting` for its next attempt; `held` while its endpoint is disabled; `delivered`; `exhausted` after its last attempt;
 * `expired` because its endpoint was deleted, or it was held for too long.
 * @public
 */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly state: 'waiting' | 'held' | 'delivered' | 'exhausted' | 'expired';
  readonly attempts: number;
}

/**
 * One HTTP POST of a delivery, as it was logged.
 * @public
 */
export type Attempt = SendOutcome & { readonly at: EpochMs };

/**
 * Which deliveries to list: those that fit all that is given. Object and type are those of their events, `from` and `to` are about
 * when the event was dispatched, by the store's clock.
 * @public
 */
export interface DeliveryFilter extends EventFilter {
  readonly endpointId?: string;
  readonly eventId?: string;
  readonly state?: Delivery['state'];
}

/**
 * What became of a wish to send a delivery again.
 *
 * `sent`: it waits and is due, under this id: a new one when the old delivery was finished. `unfinished`: another delivery of the
 * same event to the same endpoint is not finished yet. The rest are refusals: nothing has changed.
 * @public
 */
export type SentAgain =
  | { readonly kind: 'sent' | 'unfinished'; readonly deliveryId: string }
  | {
      readonly kind:
        | 'not_found'
        | 'held'
        | 'being_attempted'
        | 'endpoint_disabled'
        | 'endpoint_deleted'
        | 'event_dropped';
    };

/**
 * Which events to send to an endpoint again: those published from then on, and before then, that were dispatched.
 * @public
 */
export interface ReplayRange {
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Goes on after it: the `next` of the batch before. */
  readonly after?: string;
}

/**
 * What a batch of a replay did: so many deliveries were made. Without `next` it was the last one. `invalid_cursor`: `after` is no `next`
 * of this store.
 * @public
 */
export type Replayed =
  | { readonly kind: 'replayed'; readonly deliveries: number; readonly next?: string }
  | { readonly kind: 'not_found' | 'endpoint_disabled' | 'invalid_cursor' };

/**
 * What is not finished yet. Each number is counted to `mostCounted`: that one means so many, or more.
 * @public
 */
export interface Backlog {
  /** Events that were not dispatched yet. */
  readonly undispatched: number;
  /** Deliveries that wait for an attempt, whether it is due or not. */
  readonly waiting: number;
  readonly held: number;
  readonly beingAttempted: number;
  /**
   * How long the oldest delivery that is due has been due; absent when none is. Those of paused endpoints are due; those of a replay,
   * which come last in any case, do not count here before they were attempted.
   */
  readonly oldestDue?: DurationMs;
}

/**
 * Port: the operator's half of deliveries. Whatever belongs to another account is not there.
 * @public
 */
export interface DeliveryLog {
  /**
   * Looks at a bounded number of deliveries for each page, however few of them fit: a page may hold fewer than it was asked for, or
   * none, and have a `next` all the same.
   */
  listDeliveries(accountId: string, filter: DeliveryFilter, page: PageRequest): Promise<StoredPage<Delivery>>;
  /** The attempts of a delivery of this account, in order. */
  listAttempts(accountId: string, deliveryId: string): Promise<readonly Attempt[]>;
  /** All that explains what became of an event for an endpoint, of one moment. */
  findFacts(accountId: string, eventId: string, endpointId: string): Promise<DeliveryFacts>;
  /**
   * One that waits is due now. One that is finished stays as it is, and a new one of the same event for the same endpoint waits, unless
   * there is an unfinished one: of N racers exactly one makes it.
   */
  sendAgain(accountId: string, deliveryId: string): Promise<SentAgain>;
  /**
   * Makes new deliveries for an endpoint that is enabled, of the events of a time that it takes as it stands now, whether they were sent
   * to it before or not; test events are left out. A bounded number of events at each call, oldest first, in one short act. An event
   * with an unfinished delivery to the endpoint is passed by, so of N racers one makes it.
   *
   * These deliveries are due, and come after all others of their endpoint that are: a claim leases them when nothing else of it is due, a
   * dispatch leases what is new as if they were not there. Once attempted they are like any other.
   */
  replay(accountId: string, endpointId: string, range: ReplayRange): Promise<Replayed>;
  /** The backlog of an account, or of all. It costs the same however large that is. */
  countBacklog(accountId?: string): Promise<Backlog>;
}
