import type { Endpoint } from '../endpoints/endpoint.ts';
import type { StampedEvent } from '../events/event.ts';
import type { DurationMs } from '../runtime/time.ts';
import type { TracedEvent } from '../signals/signal.ts';
import type { EndpointTurn } from './endpoint-turn.ts';
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
  readonly eventId: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  /** Its number, 1 for the first. */
  readonly attempt: number;
  /** It was the last. */
  readonly exhausted: boolean;
  /** Of its event. */
  readonly traceContext?: string;
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
  /** Those of the events that carry a trace context. */
  readonly traced: readonly TracedEvent[];
  /** Some of them wait to be referred to the parents of their accounts (`Referrals`). */
  readonly referring: boolean;
}

/**
 * What became of an attempt.
 * @public
 */
export interface Settlement extends Claim {
  readonly outcome: SendOutcome;
  /**
   * `gone`: the endpoint says that it is no more. It is disabled, and the delivery is held. `out_of_reach`: the event happened to an account
   * that is no child of the endpoint's any more; the delivery expires. In both cases the attempt does not count.
   */
  readonly next: 'delivered' | 'exhausted' | 'gone' | 'out_of_reach' | { readonly retryIn: DurationMs };
  /** So long the receiver asks that its endpoint be left alone. */
  readonly pauseFor?: DurationMs;
}

/**
 * What is too old to keep, by the store's clock.
 * @public
 */
export interface PruneLimits {
  /** A delivery that was held so long expires. */
  readonly held: DurationMs;
  /** Events go so long after they were dispatched, and once none of their deliveries is unfinished. */
  readonly events: DurationMs;
  /** Attempts go so long after they ended, and finished deliveries so long after they finished. */
  readonly attempts: DurationMs;
  /** About so many rows of each kind at most: a short transaction. */
  readonly most: number;
}

/**
 * What was pruned.
 * @public
 */
export interface Pruned {
  /** Held deliveries that expired, by endpoint. */
  readonly expired: readonly {
    readonly accountId: string;
    readonly endpointId: string;
    readonly deliveries: number;
  }[];
  /** There may be more to prune at once. */
  readonly more: boolean;
}

/**
 * Port: the worker's half of deliveries. Times cross as durations: the store's clock alone decides what is due.
 * @public
 */
export interface DeliveryQueue {
  /**
   * Takes committed events that were not dispatched yet, accounts in turn and the oldest of each account first, in one short
   * transaction of its own, one dispatcher at a time. Its cost does not depend on how many events wait. It stamps each
   * (`stampSecond`), writes one delivery for each matching endpoint that is not disabled by its partner (held where the breaker
   * disabled it), and leases what fits, accounts in turn. Rows are found by state, never by sequence: an event that was
   * committed late is not skipped. One that is for one endpoint (`onlyTo`) matches that one alone, whatever it takes.
   * A copy (`origin`) matches only endpoints with `includeChildren`. Notes what may be of interest to parents, as `Referrals` has it.
   */
  dispatch(want: ClaimRequest): Promise<Dispatched>;
  /**
   * Leases due deliveries of enabled endpoints, fairly over accounts and endpoints. No delivery is ever under two living
   * leases. Whoever finds a lapsed lease takes the delivery from its holder: an attempt `abandoned` is logged, which counts, and
   * the next one is due by `schedule`, as after any failure. So workers that crash for an hour exhaust nothing.
   *
   * No endpoint is given more than it has room for (`roomFor`), over all workers, at a dispatch too. What waits for a paused one stays
   * due, and delays no other. A half-open one is probed with the delivery that has most attempts behind it, so that one is
   * exhausted in the end, however many wait.
   */
  claim(want: ClaimRequest): Promise<Taken>;
  /**
   * Logs each attempt and moves its delivery on, together. With a lease that was taken over only the log changes. A lease is
   * settled once: again, as after an answer that was lost, changes nothing at all. A retry of an endpoint that was disabled
   * meanwhile is held; of one that was deleted, expired.
   *
   * In the same act each settlement that counts is judged (`judge`), in their order: an endpoint that turns to
   * `disabled_by_breaker` has its next version, and what waits for it is held. Resolves to how endpoints turned: whoever races,
   * each turn is told to one.
   */
  settle(settlements: readonly Settlement[]): Promise<readonly EndpointTurn[]>;
  /** Gives back deliveries that were not attempted, each to where it stood in line. */
  release(claims: readonly Claim[]): Promise<void>;
  /**
   * From when this resolves, calls `onDue` soon after something fell due by a commit. Polling stays the safety net. Resolves to the way
   * to stop.
   */
  watch(onDue: () => void): Promise<() => void>;
  /**
   * Lets held deliveries expire, each told to one of those who prune at once, and drops what is too old: events, attempts, finished deliveries,
   * idempotency keys and revoked tokens whose time has passed. A bounded piece at each call, which delays nothing else. What
   * may not go yet does not keep what is younger. No event that is dispatched later gets the second of one that is gone.
   */
  prune(limits: PruneLimits): Promise<Pruned>;
}
