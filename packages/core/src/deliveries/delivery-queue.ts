import type { Endpoint } from '../endpoints/endpoint.ts';
import type { StampedEvent } from '../events/event.ts';
import type { DurationMs } from '../runtime/time.ts';
import type { SendOutcome } from './sender.ts';

/**
 * A delivery that a worker holds. `lease` fences: once another took the delivery over, settling or releasing with it changes
 * nothing. A lapsed lease that nobody took over still settles.
 * @public
 */
export interface Claim {
  readonly deliveryId: string;
  readonly lease: string;
}

/**
 * A claimed delivery, with what is needed to attempt it.
 * @public
 */
export interface ClaimedDelivery extends Claim {
  /** 1 for the first. */
  readonly attempt: number;
  readonly event: StampedEvent;
  readonly endpoint: Endpoint;
}

/**
 * How much a worker wants.
 * @public
 */
export interface ClaimRequest {
  /** Who asks: the same text for all claims of one worker. */
  readonly worker: string;
  /** At most so many. */
  readonly limit: number;
  /** At most so many living leases of one endpoint, over all workers. */
  readonly perEndpoint: number;
  /** At most so many living leases of one account held by this worker. */
  readonly perAccount: number;
  readonly lease: DurationMs;
  /** So many attempts exhaust a delivery; needed where a lapsed lease counts as one. */
  readonly mostAttempts: number;
}

/**
 * What a dispatch did.
 * @public
 */
export interface Dispatched {
  /** The first deliveries of the dispatched events, as far as they fit. */
  readonly claimed: readonly ClaimedDelivery[];
  /** How many events were dispatched: not 0 means that there may be more. */
  readonly events: number;
  /** Events whose second ran so far ahead of the clock that their deliveries wait. */
  readonly ahead: readonly { readonly accountId: string; readonly eventId: string; readonly by: DurationMs }[];
}

/**
 * What became of an attempt.
 * @public
 */
export interface Settlement extends Claim {
  readonly outcome: SendOutcome;
  readonly next: 'delivered' | 'exhausted' | { readonly retryIn: DurationMs };
}

/**
 * Port: the worker's half of deliveries. Times cross as durations: the store's clock alone decides what is due.
 * @public
 */
export interface DeliveryQueue {
  /**
   * Takes committed events that were not dispatched yet, oldest first, in one short transaction of its own, one dispatcher
   * at a time: stamps each (`stampSecond`), writes one delivery for each matching endpoint that is not disabled by its
   * partner (held where the breaker disabled it), and leases what fits. Rows are found by state, never by sequence: an
   * event that was committed late is not skipped.
   */
  dispatch(want: ClaimRequest): Promise<Dispatched>;
  /**
   * Leases due deliveries of enabled endpoints, fairly over accounts and endpoints. No delivery is ever under two living
   * leases. Whoever takes over a lapsed lease logs an attempt `abandoned`, which counts: past `mostAttempts` the delivery is
   * exhausted instead.
   */
  claim(want: ClaimRequest): Promise<readonly ClaimedDelivery[]>;
  /**
   * Logs each attempt and moves its delivery on, together. With a lease that was taken over only the log changes. A retry of an endpoint
   * that was disabled meanwhile is held; of one that was deleted, expired.
   */
  settle(settlements: readonly Settlement[]): Promise<void>;
  /** Gives back deliveries that were not attempted. */
  release(claims: readonly Claim[]): Promise<void>;
  /**
   * From when this resolves, calls `onDue` soon after something fell due by a commit. Polling stays the safety net. Resolves to the way
   * to stop.
   */
  watch(onDue: () => void): Promise<() => void>;
}
