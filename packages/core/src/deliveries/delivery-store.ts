import type { Endpoint } from '../endpoints/endpoint.ts';
import type { NewEvent, StampedEvent } from '../events/event.ts';
import type { DurationMs, EpochMs, EpochSeconds } from '../runtime/time.ts';
import type { DeliveryKey } from './delivery-id.ts';
import type { SendOutcome } from './sender.ts';

/**
 * What every read and every settle tells beside its answer, of the same moment.
 * @public
 */
export interface StoreState {
  /** By the store's clock. */
  readonly now: EpochMs;
  /**
   * One number for each shard, from shard 0, separated by commas. A shard's number grows, in the same transaction, whenever an endpoint of
   * one of its accounts is created, changed or deleted, and when deliveries are replayed to one.
   */
  readonly endpointVersions: string;
  /** An endpoint of some account, which its partner did not disable, receives the events of children. */
  readonly hasIncludeChildren: boolean;
}

/**
 * A part of a shard: accounts in the order of the bytes of their ids.
 * @public
 */
export interface ShardRange {
  readonly shard: number;
  /** Accounts after it. Absent: from the first. */
  readonly after?: string;
  /** Accounts before it. Absent: to the last. */
  readonly before?: string;
}

/**
 * A committed event that was not dispatched yet.
 * @public
 */
export interface OutboxEvent extends NewEvent {
  readonly shard: number;
  /** Its place in the outbox: the store's own text. */
  readonly position: string;
  /** When it was published, by the store's clock. */
  readonly storedAt: EpochMs;
  /**
   * The largest second of the events of its object (`objectId`) in its account, or of any event of the shard that was pruned, whichever is
   * larger. Absent: there is none.
   */
  readonly lastSecond?: EpochSeconds;
}

/**
 * An event as core dispatches it: with its second, for these endpoints.
 * @public
 */
export interface Dispatched {
  readonly event: OutboxEvent;
  readonly timestamp: EpochSeconds;
  readonly endpointIds: readonly string[];
  /** It may interest the parent of its account: `ParentPropagation` gets it in the same act. */
  readonly propagates: boolean;
}

/**
 * A delivery in its shard.
 * @public
 */
export interface ShardedKey extends DeliveryKey {
  readonly shard: number;
}

/**
 * A delivery that is not finished and waits in the store: `scheduled` is read once it is due; `queued` waits until its endpoint has
 * capacity.
 * @public
 */
export interface PendingChange extends ShardedKey {
  readonly state: 'scheduled' | 'queued';
  /** From the moment at which this is stored. Queued deliveries of an endpoint are read in the order in which they were due. */
  readonly dueIn: DurationMs;
  /** How many attempts counted. */
  readonly attempts: number;
  /** The largest number in its log; 0 when it has none. */
  readonly logged: number;
}

/**
 * A delivery that was read from the store in order to be attempted.
 * @public
 */
export interface PendingDelivery extends ShardedKey {
  readonly event: StampedEvent;
  readonly attempts: number;
  readonly logged: number;
  /** A worker whose lease expired may have made an attempt that nobody settled. */
  readonly wasAbandoned: boolean;
}

/**
 * A row of the log of a delivery.
 * @public
 */
export interface LoggedAttempt extends DeliveryKey {
  /** From 1, in the order of time. */
  readonly number: number;
  readonly outcome: SendOutcome;
  /** Of the last row: what became of the delivery. */
  readonly state?: 'delivered' | 'exhausted' | 'expired';
}

/**
 * How an endpoint fails, in lengths of time up to now. A length that is over is 0.
 * @public
 */
export interface StoredHealth {
  /** Attempts that failed since the last success. */
  readonly failures: number;
  /** Since the first of them ended. */
  readonly failingFor: DurationMs;
  /** One of them exhausted its delivery. */
  readonly isExhausted: boolean;
  /** How often the breaker opened since the last success. */
  readonly openCount: number;
  /** For how long it will stay open. */
  readonly openFor: DurationMs;
  /** For how long the receiver asked to be left alone. */
  readonly retryAfterFor: DurationMs;
}

/**
 * The new health of an endpoint.
 * @public
 */
export interface HealthWrite {
  readonly accountId: string;
  readonly endpointId: string;
  /** It is written only while the endpoint is enabled and has this version. */
  readonly version: number;
  /** Absent: the endpoint does not fail. */
  readonly health?: StoredHealth;
}

/**
 * An endpoint whose health changed in a way that operators are told of.
 * @public
 */
export interface HealthTransition {
  readonly shard: number;
  readonly accountId: string;
  readonly endpointId: string;
  /** Disables the endpoint (`disabled_by_breaker`), if it is enabled and has this version still. */
  readonly disable?: { readonly version: number; readonly reason: 'gone' | 'failing' };
}

/**
 * What became of attempts, as one act.
 * @public
 */
export interface Settlement {
  readonly attempts: readonly LoggedAttempt[];
  /** Deliveries that become pending, or are so and change. */
  readonly pending: readonly PendingChange[];
  /** Scheduled deliveries that become queued; they change in nothing else. */
  readonly queued: readonly ShardedKey[];
  /** Deliveries that are finished: no longer pending. */
  readonly finished: readonly ShardedKey[];
  readonly health: readonly HealthWrite[];
  readonly transitions: readonly HealthTransition[];
}

/**
 * What a settlement brought about.
 * @public
 */
export interface Settled extends StoreState {
  /** For each transition, in order. */
  readonly transitions: readonly {
    /** The endpoint was disabled by it. */
    readonly isDisabled: boolean;
    /** How many deliveries of the endpoint are pending, counted to `maxCounted`. */
    readonly pending: number;
  }[];
}

/**
 * An endpoint as its shard's owner needs it.
 * @public
 */
export interface OwnedEndpoint {
  readonly endpoint: Endpoint;
  readonly health?: StoredHealth;
  /** Some of its deliveries are `queued`. */
  readonly hasQueued: boolean;
}

/**
 * The queue of one endpoint.
 * @public
 */
export interface QueueRead {
  readonly shard: number;
  readonly accountId: string;
  readonly endpointId: string;
  readonly limit: number;
  /** `due`: those that were due first. `attempts`: those that were attempted most often, of these the one that was due first. */
  readonly order: 'due' | 'attempts';
}

/**
 * Port: the rows of deliveries. Core decides, a store keeps: only the owner of a shard calls these for it, one call that writes at a time.
 *
 * - Times cross as durations: the store's clock alone decides what is due.
 * - A write is one act: all of it or nothing. Made again with the same content, as after an answer that was lost, it changes nothing more,
 *   but for the durations in it: they count from then.
 * - A write of a worker whose row is gone changes nothing, and resolves to `'fenced'` (`ShardStore`).
 * @public
 */
export interface DeliveryStore {
  /**
   * - Committed events that were not dispatched, up to `limit`: the ranges in the order given; within one accounts in order, and of an account
   *   the events in the order in which they were published.
   * - Events are found by state, never by sequence: one that was committed late is not skipped.
   * - Costs no more for a large outbox.
   */
  readOutbox(
    ranges: readonly ShardRange[],
    limit: number,
  ): Promise<StoreState & { readonly events: readonly OutboxEvent[] }>;
  /**
   * - Moves events from the outbox to the dispatched ones, dispatched at the same moment: now, but not before `notBefore`. Events that are
   *   no longer in the outbox are left as they are.
   * - Stores `pending` deliveries of these events. Those that exist stay as they are.
   * - Two events of one object and account never share a second: rejects, and changes nothing.
   * - Durable when it resolves.
   */
  stamp(
    workerId: string,
    events: readonly Dispatched[],
    pending: readonly PendingChange[],
    notBefore: EpochMs,
  ): Promise<'stored' | 'fenced'>;
  /**
   * - Logs attempts; a number that a delivery has is left as it is.
   * - Changes pending deliveries, health and endpoints. What a disabled endpoint has pending stays pending.
   */
  settle(workerId: string, settlement: Settlement): Promise<Settled | 'fenced'>;
  /** - Scheduled deliveries of the shards that are due, up to `limit` of each shard and in all; those in `except` left out. */
  readDue(
    shards: readonly number[],
    limit: number,
    except: readonly DeliveryKey[],
  ): Promise<StoreState & { readonly deliveries: readonly PendingDelivery[] }>;
  /** - Queued deliveries of each endpoint, up to its limit; those in `except` left out. Costs no more for a long queue. */
  readQueued(
    queues: readonly QueueRead[],
    except: readonly DeliveryKey[],
  ): Promise<StoreState & { readonly deliveries: readonly PendingDelivery[] }>;
  /**
   * Takes shards over that the worker has just acquired.
   * - Every delivery of an event that was dispatched at `settledTo` or later, which has neither a log nor is pending, becomes `queued`, due when
   *   its event was dispatched. Where the shard `wasAbandoned` it is marked so.
   * - Of a shard that `wasAbandoned`, scheduled deliveries that are due are marked so, too.
   */
  recover(
    workerId: string,
    shards: readonly { readonly shard: number; readonly settledTo: EpochMs; readonly wasAbandoned: boolean }[],
  ): Promise<'stored' | 'fenced'>;
  /**
   * - All endpoints of each of the accounts, and of each account that has queued deliveries in one of the shards `queuedIn`.
   * - Those of an account in the order in which they were created; an account without any is left out.
   */
  readEndpoints(
    accountIds: readonly string[],
    queuedIn: readonly number[],
  ): Promise<StoreState & { readonly endpoints: readonly OwnedEndpoint[] }>;
}
