import type { PageRequest, StoredPage } from '../../base/pagination/page.ts';
import type { DurationMs, EpochMs } from '../../base/runtime/time.ts';
import type { DispatchedEvent } from '../events/event.ts';

/**
 * A handler as a worker registers it.
 * @public
 */
export interface HandlerRegistration {
  /** Its name. */
  readonly name: string;
  /** The selectors of its events. Absent: only notes that a worker has it, if it is registered. */
  readonly events?: readonly string[];
  /** A new handler also gets events dispatched at this time or later, by the store's clock. @defaultValue none */
  readonly since?: EpochMs;
}

/**
 * A registered handler, as dispatch reads it.
 * @public
 */
export interface RegisteredHandler {
  /** Its name. */
  readonly name: string;
  /** The selectors of its events. */
  readonly events: readonly string[];
}

/**
 * A registered handler with what waits for it. Numbers are counted to `maxCounted`.
 * @public
 */
export interface HandlerStatus extends RegisteredHandler {
  /** When it was registered, by the store's clock. */
  readonly registeredAt: EpochMs;
  /** When a worker last had it: within about a minute. */
  readonly seenAt: EpochMs;
  /** Deliveries that are due, scheduled or being handled. */
  readonly waiting: number;
  /** Deliveries whose last attempt failed. */
  readonly exhausted: number;
  /** Age of the oldest due delivery, in milliseconds. Absent: none is due. */
  readonly oldestDue?: DurationMs;
}

/**
 * The key of a delivery to a handler.
 * @public
 */
export interface HandlerDeliveryKey {
  readonly accountId: string;
  readonly eventId: string;
  /** The name of the handler. */
  readonly handler: string;
}

/**
 * How a call of a handler ended: it resolved, it failed or its transaction did not commit, or its time-out passed.
 * @public
 */
export type HandlerOutcome = 'handled' | 'failed' | 'timed_out';

/**
 * One attempt of a delivery to a handler.
 * @public
 */
export interface HandlerAttempt {
  /** When a worker claimed the delivery, by the store's clock. */
  readonly at: EpochMs;
  /** How it ended. Absent: it is being made, or its worker died. */
  readonly outcome?: HandlerOutcome;
  /** Duration of the call, in milliseconds. */
  readonly durationMs?: DurationMs;
}

/**
 * A delivery to a handler.
 * @public
 */
export interface HandlerDelivery extends HandlerDeliveryKey {
  /** `waiting`: due, scheduled or being handled. */
  readonly state: 'waiting' | 'handled' | 'exhausted';
  /** While it waits: when it is due, by the store's clock. While it is handled: when another worker may claim it. */
  readonly dueAt?: EpochMs;
  /** Attempts, since it was made or sent again. */
  readonly attempts: number;
  /** All attempts, in order of time. */
  readonly log: readonly HandlerAttempt[];
}

/**
 * A delivery that a worker has claimed.
 * @public
 */
export interface ClaimedDelivery extends HandlerDeliveryKey {
  /** Number of this attempt, from 1. */
  readonly attempts: number;
  /** When it can be claimed again. With `attempts`, it identifies the claim. */
  readonly dueAt: EpochMs;
  /** What happened, with its body. */
  readonly event: DispatchedEvent;
}

/**
 * The end of an attempt.
 * @public
 */
export interface HandlerSettlement {
  /** The claim whose attempt ended. */
  readonly claimed: ClaimedDelivery;
  /** How the call ended. */
  readonly outcome: HandlerOutcome;
  /** Duration of the call, in whole milliseconds. */
  readonly durationMs: DurationMs;
  /** Milliseconds until the next attempt. Absent: there is none. */
  readonly retryIn?: DurationMs;
}

/**
 * Port: handlers of the host and their deliveries. Partners see nothing of them.
 *
 * - `DeliveryStore.dispatch` makes the deliveries of an event, in its own transaction.
 * - `StoreState.handlers` tells workers which handlers are registered.
 * - A finished delivery is deleted with its event (`DeliveryLog.prune`); an event with an unfinished one stays.
 * @public
 */
export interface HandlerStore<Tx extends object> {
  /**
   * Registers handlers, or changes their events. Resolves to whether a handler still has past events to get: then call
   * it again.
   *
   * - A new handler, and one with other events, raises the endpoint version of every shard: every worker that
   *   dispatches a later event has read it.
   * - With `since`, each call looks at about `limit` past events, and makes deliveries of those that the handler
   *   selects: never of test events and copies for parents, and never a second one.
   */
  register(handlers: readonly HandlerRegistration[], limit: number): Promise<boolean>;
  /**
   * Claims due deliveries of a handler, at most `limit`.
   *
   * - `pauses[n - 1]` is how long a delivery cannot be claimed after its claim number `n`. After as many claims as
   *   there are pauses, one that is due becomes `exhausted` instead.
   * - When more than `limit` are due, accounts take turns in the order of their ids, from the one after `after`. Of one
   *   account, the longest due comes first.
   * - Of N simultaneous calls, exactly one claims a delivery. None waits for another, or for the transaction of a
   *   handler.
   */
  claim(
    handler: string,
    limit: number,
    pauses: readonly DurationMs[],
    after?: string,
  ): Promise<readonly ClaimedDelivery[]>;
  /**
   * Ends the attempts of claims, inside `tx` if there is one. Resolves to whether it did, in the order of the
   * settlements: `false` when a claim is no longer current, because the delivery was handled, claimed or sent again
   * since. The others are stored.
   *
   * - `handled` finishes the delivery. Other outcomes make it due after `retryIn`, or `exhausted` without one.
   * - Two transactions cannot both finish a delivery.
   */
  settle(settlements: readonly HandlerSettlement[], tx?: Tx): Promise<readonly boolean[]>;
  /** Reads all registered handlers, in the order of their names. */
  listHandlers(): Promise<readonly HandlerStatus[]>;
  /** Reads a page of the exhausted deliveries of a handler, or of the deliveries of an event, in the order of ids. */
  listDeliveries(
    of: { readonly handler: string } | { readonly accountId: string; readonly eventId: string },
    page: PageRequest,
  ): Promise<StoredPage<HandlerDelivery>>;
  /** Makes an exhausted delivery due now, with no attempts. Resolves to the state that it had; `undefined`: none. */
  sendAgain(key: HandlerDeliveryKey): Promise<HandlerDelivery['state'] | undefined>;
  /**
   * Removes a handler. Deletes at most `limit` of its waiting deliveries; resolves to whether more are left.
   *
   * - Raises the endpoint version of every shard when it was registered.
   */
  removeHandler(handler: string, limit: number): Promise<boolean>;
}
