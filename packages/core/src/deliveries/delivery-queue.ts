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
  /**
   * How long after attempt 1, 2, … the next one is due, for attempts whose lease lapsed; one attempt more than entries exhausts a
   * delivery.
   */
  readonly schedule: readonly DurationMs[];
}

/**
 * An attempt whose lease lapsed: nobody knows what became of it, so it counts as failed.
 * @public
 */
export interface Abandoned {
  readonly accountId: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  /** Its number, 1 for the first. */
  readonly attempt: number;
  /** It was the last. */
  readonly exhausted: boolean;
}

/**
 * What a worker was given.
 * @public
 */
export interface Taken {
  readonly claimed: readonly ClaimedDelivery[];
  /** Attempts of workers that died, found on the way. */
  readonly abandoned: readonly Abandoned[];
}

/**
 * What a dispatch did.
 * @public
 */
export interface Dispatched extends Taken {
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
   * leases. Whoever finds a lapsed lease takes the delivery from its holder: an attempt `abandoned` is logged, which counts, and
   * the next one is due by `schedule`, as after any failure. So workers that crash for an hour exhaust nothing.
   */
  claim(want: ClaimRequest): Promise<Taken>;
  /**
   * Logs each attempt and moves its delivery on, together. With a lease that was taken over only the log changes. A lease is
   * settled once: again, as after an answer that was lost, changes nothing at all. A retry of an endpoint that was disabled
   * meanwhile is held; of one that was deleted, expired.
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
