import type { NewAuditEntry } from '../../base/audit/audit-entry.ts';
import type { DurationMs, EpochMs, EpochSeconds } from '../../base/runtime/time.ts';
import type { LastFailure } from '../../base/signals/health-change.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { DispatchedEvent, NewEvent } from '../events/event.ts';
import type { DeliveryKey } from './delivery-id.ts';
import type { RegisteredHandler } from './handler-store.ts';
import type { SendOutcome } from './sender.ts';

/**
 * The state of the store at the moment of a read or settlement.
 * @public
 */
export interface StoreState {
  /** The store's clock. */
  readonly now: EpochMs;
  /**
   * Grows in the same transaction when an endpoint is created, changed or deleted, or receives a replay. From 0. Of two
   * versions, the larger one includes all changes of the smaller one.
   */
  readonly endpointVersion: number;
  /** The shards with such a change after the version that the caller knows, in any order. */
  readonly changedShards: readonly number[];
  /** Whether any endpoint that its partner has not disabled receives events of child accounts. */
  readonly hasIncludeChildren: boolean;
  /** All registered handlers of the host. Present exactly when the version is larger than the known one. */
  readonly handlers?: readonly RegisteredHandler[];
}

/**
 * A part of a shard: accounts in the byte order of their ids.
 * @public
 */
export interface ShardRange {
  /** The shard, from 0. */
  readonly shard: number;
  /** Accounts after this id. Absent: from the first. */
  readonly after?: string;
  /** Accounts before this id. Absent: to the last. */
  readonly before?: string;
}

/**
 * What decides how an event is dispatched.
 * @public
 */
export interface DispatchableEvent extends Omit<NewEvent, 'bodyTail'> {
  /** The shard of its account. */
  readonly shard: number;
  /** When it was published, by the store's clock. */
  readonly storedAt: EpochMs;
  /**
   * The last timestamp of an event of the same object and account, or of a pruned event of the shard, whichever is
   * larger. May be one of another object with the same `objectHash`. Absent: none.
   */
  readonly lastTimestamp?: EpochSeconds;
}

/**
 * A committed event that is not dispatched.
 * @public
 */
export interface OutboxEvent extends DispatchableEvent, NewEvent {
  /** Its position in the outbox: an opaque text of the store. */
  readonly position: string;
}

/**
 * What a store tells of an event that its own account published for all its endpoints, so that a worker can dispatch it
 * without reading it before: {@link DeliveryStore.dispatchAnnounced}.
 * @public
 */
export interface AnnouncedEvent
  extends Pick<
    DispatchableEvent,
    'id' | 'accountId' | 'shard' | 'objectName' | 'objectId' | 'type' | 'occurredAt' | 'storedAt'
  > {}

/**
 * An event as core dispatches it.
 * @public
 */
export interface EventDispatch {
  readonly event: OutboxEvent;
  /** Its `timestamp` (specification §2.3). */
  readonly timestamp: EpochSeconds;
  /** The push endpoints that receive it: one delivery each. */
  readonly endpointIds: readonly string[];
  /** The pull endpoints that receive it: one entry of the feed of each. @defaultValue none */
  readonly pullEndpointIds?: readonly string[];
  /** The names of the host's handlers that receive it: one delivery each. @defaultValue none */
  readonly handlers?: readonly string[];
  /** Whether it may be copied to the account's parent: `ParentPropagation` receives it in the same transaction. */
  readonly propagates: boolean;
}

/**
 * An announced event as core dispatches it.
 * @public
 */
export interface AnnouncedDispatch extends Pick<EventDispatch, 'timestamp' | 'endpointIds'> {
  readonly event: AnnouncedEvent;
  /** `StoreState.endpointVersion` when these endpoints were read. */
  readonly endpointVersion: number;
}

/**
 * The key of a delivery, with its shard.
 * @public
 */
export interface ShardedKey extends DeliveryKey {
  /** The shard of its account. */
  readonly shard: number;
}

/**
 * An unfinished delivery to store.
 * @public
 */
export interface PendingChange extends ShardedKey {
  /** `scheduled`: read once it is due. `queued`: read when its endpoint has capacity. */
  readonly state: 'scheduled' | 'queued';
  /**
   * Milliseconds until it is due, counted from the write. Queued deliveries of an endpoint are read in order of due
   * time.
   */
  readonly dueIn: DurationMs;
  /** Attempts that count. */
  readonly attempts: number;
  /** The largest number in its log of attempts; 0 for none. */
  readonly logged: number;
  /** Whether its next attempt is made while the breaker pauses the endpoint. @defaultValue false */
  readonly isUrgent?: boolean;
}

/**
 * A pending delivery, read from the store for an attempt.
 * @public
 */
export interface PendingDelivery extends ShardedKey {
  /** The event, with its timestamp. */
  readonly event: DispatchedEvent;
  /** Attempts that count. */
  readonly attempts: number;
  /** The largest number in its log of attempts; 0 for none. */
  readonly logged: number;
  /** Whether a worker with an expired lease may have made an attempt that was never settled. */
  readonly wasAbandoned: boolean;
  /** Whether its next attempt is made while the breaker pauses the endpoint. */
  readonly isUrgent: boolean;
}

/**
 * One attempt in the log of a delivery.
 * @public
 */
export interface LoggedAttempt extends DeliveryKey {
  /** From 1, in order of time. */
  readonly number: number;
  /** The outcome of the POST. */
  readonly outcome: SendOutcome;
  /** In the last attempt of a finished delivery: its final state. */
  readonly state?: 'delivered' | 'exhausted' | 'expired';
}

/**
 * The failures of an endpoint. Durations are relative to now, in milliseconds; an elapsed duration is 0.
 * @public
 */
export interface StoredHealth {
  /** Failed attempts since the last success. */
  readonly failures: number;
  /** Time since the first of these attempts ended. */
  readonly failingFor: DurationMs;
  /** Whether one of these attempts exhausted its delivery. */
  readonly isExhausted: boolean;
  /** How often the breaker opened since the last success. */
  readonly openCount: number;
  /** How long the breaker stays open. */
  readonly openFor: DurationMs;
  /** How long the receiver's `Retry-After` still pauses the endpoint. */
  readonly retryAfterFor: DurationMs;
  /** The last of the failed attempts. Absent: none failed since the last success. */
  readonly lastFailure?: LastFailure;
}

/**
 * The new health of an endpoint.
 * @public
 */
export interface HealthWrite {
  readonly accountId: string;
  readonly endpointId: string;
  /** Written only while the endpoint is enabled and has this version. */
  readonly version: number;
  /** Absent: the endpoint does not fail. */
  readonly health?: StoredHealth;
}

/**
 * A change of an endpoint's health that is signalled to operators.
 * @public
 */
export interface HealthTransition {
  /** The shard of the account. */
  readonly shard: number;
  readonly accountId: string;
  readonly endpointId: string;
  /** Disables the endpoint (`disabled_by_breaker`) while it is enabled and has this version. */
  readonly disable?: {
    /** The version that the endpoint must still have. */
    readonly version: number;
    /** Why: a response 410 (`gone`), or days of failures (`failing`). */
    readonly reason: 'gone' | 'failing';
  };
  /**
   * An entry of the audit trail. Written if the transition disables the endpoint; otherwise if the settlement writes
   * its health.
   */
  readonly audit?: NewAuditEntry;
}

/**
 * The outcomes of attempts, stored in one transaction.
 * @public
 */
export interface Settlement {
  /** Counts the settlements of the worker, from 1. A repetition has the number of the first. */
  readonly number: number;
  /** Number of the last settlement that was confirmed and changed more than the log; 0: none. */
  readonly after: number;
  /** Attempts to log. */
  readonly attempts: readonly LoggedAttempt[];
  /** Deliveries that become pending, or are pending and change. */
  readonly pending: readonly PendingChange[];
  /**
   * Scheduled deliveries that become queued, no longer urgent, and change in nothing else. `isUrgent` is as the worker
   * read it: a delivery that was sent again since stays scheduled and urgent.
   */
  readonly queued: readonly (ShardedKey & Pick<PendingChange, 'isUrgent'>)[];
  /** Finished deliveries, no longer pending. */
  readonly finished: readonly ShardedKey[];
  /** New health of endpoints. */
  readonly health: readonly HealthWrite[];
  /** Changes of health to count and report. */
  readonly transitions: readonly HealthTransition[];
}

/**
 * The outcome of a settlement.
 * @public
 */
export interface SettleOutcome extends StoreState {
  /** One entry for each transition, in order. */
  readonly transitions: readonly {
    /** Whether the transition disabled the endpoint. */
    readonly isDisabled: boolean;
    /** Pending deliveries of the endpoint, counted to `maxCounted`. */
    readonly pending: number;
  }[];
}

/**
 * An endpoint as the owner of its shard reads it.
 * @public
 */
export interface OwnedEndpoint {
  readonly endpoint: Endpoint;
  /** Its failures. Absent: it does not fail. */
  readonly health?: StoredHealth;
  /** Whether deliveries of the endpoint are `queued`. */
  readonly hasQueued: boolean;
  /** Whether sending to it is paused (see `SendingStore`). */
  readonly isSendingPaused: boolean;
}

/**
 * A read of one endpoint's queue.
 * @public
 */
export interface QueueRead {
  /** The shard of the account. */
  readonly shard: number;
  readonly accountId: string;
  readonly endpointId: string;
  /** Maximum number of deliveries. */
  readonly limit: number;
  /** `due`: earliest due first. `attempts`: most attempts first, among equals the earliest due. */
  readonly order: 'due' | 'attempts';
}

/**
 * Port: the rows of deliveries. Core decides, the store stores. Only the owner of a shard calls these methods for it,
 * one write at a time.
 *
 * - Times cross the port as durations: only the store's clock decides what is due.
 * - Reads and settlements tell which shards' endpoints changed after `knownVersion`; 0: since the first version. While
 *   there is no change, that costs the same for any number of shards.
 * - A write is atomic. Repeated with the same content, as after a lost response, it changes nothing more, except that
 *   its durations count from the repetition.
 * - A write by a worker whose row was deleted changes nothing and resolves to `'fenced'` (see `ShardStore`).
 * @public
 */
export interface DeliveryStore {
  /**
   * Reads committed events that are not dispatched, at most `limit`.
   *
   * - Ranges come in the given order; within a range, accounts in order; within an account, events in order of
   *   publication.
   * - Finds events by state, never by sequence: an event committed late is not skipped.
   * - The cost does not grow with the outbox.
   */
  readOutbox(
    ranges: readonly ShardRange[],
    limit: number,
    knownVersion: number,
  ): Promise<
    StoreState & {
      /** The events that were found. */
      readonly events: readonly OutboxEvent[];
    }
  >;
  /**
   * Dispatches events.
   *
   * - Moves events from the outbox to the dispatched events, with one dispatch time: now, but not before `notBefore`.
   * - Ignores events that are no longer in the outbox, and those of shards that the worker does not own: a store that
   *   lost its acquisition may have another owner, who would not attempt them.
   * - Stores `pending` deliveries of these events; existing deliveries stay as they are.
   * - Appends these events to the feeds of their pull endpoints, in the order of publication within an account (see
   *   `FeedStore`); an endpoint without a feed is left out.
   * - Makes their deliveries to handlers, due now (see `HandlerStore`); a handler that is not registered is left out.
   * - Rejects and changes nothing when two events of one object and account would share a timestamp.
   * - Durable when it resolves.
   */
  dispatch(
    workerId: string,
    events: readonly EventDispatch[],
    pending: readonly PendingChange[],
    notBefore: EpochMs,
  ): Promise<'stored' | 'fenced'>;
  /**
   * Dispatches announced events, at most one of each account, and reads them. Replaces `readOutbox` and `dispatch`,
   * with no pending deliveries. Absent: the store announces no events.
   *
   * - Dispatches an event only while it is as announced, and the first of its account in the outbox; the worker owns
   *   its shard; its timestamp exceeds those of its object and of the pruned events of its shard; no endpoint of its
   *   shard changed after `endpointVersion`; and no endpoint receives events of child accounts. Leaves others in the
   *   outbox.
   * - Dispatch time and durability are those of `dispatch`.
   * - Resolves to the events that it dispatched. Repeated, as after a lost response, it resolves to them again: events
   *   that were dispatched with these timestamps, at `notBefore` or later.
   */
  dispatchAnnounced?(
    workerId: string,
    events: readonly AnnouncedDispatch[],
    notBefore: EpochMs,
  ): Promise<readonly DispatchedEvent[] | 'fenced'>;
  /**
   * Stores the outcomes of attempts.
   *
   * - Logs attempts; a number already in a delivery's log is skipped.
   * - Changes pending deliveries, health and endpoints, unless a settlement of the worker with this number or a larger
   *   one has changed some. So a call that was given up and is stored late undoes nothing.
   * - Pending deliveries of a disabled endpoint stay pending.
   */
  settle(workerId: string, settlement: Settlement, knownVersion: number): Promise<SettleOutcome | 'fenced'>;
  /** Reads due scheduled deliveries of the shards, at most `limit` per shard and in all, without those in `except`. */
  readDue(
    shards: readonly number[],
    limit: number,
    except: readonly DeliveryKey[],
    knownVersion: number,
  ): Promise<
    StoreState & {
      /** The due deliveries. */
      readonly deliveries: readonly PendingDelivery[];
    }
  >;
  /**
   * Reads queued deliveries of each endpoint up to its limit, without those in `except`. The cost does not grow with
   * the queue.
   */
  readQueued(
    queues: readonly QueueRead[],
    except: readonly DeliveryKey[],
    knownVersion: number,
  ): Promise<
    StoreState & {
      /** The queued deliveries. */
      readonly deliveries: readonly PendingDelivery[];
    }
  >;
  /**
   * Takes over shards that the worker has just acquired.
   *
   * - A delivery of an event dispatched at `watermark` or later, without attempts and not pending, becomes `queued`,
   *   due since its dispatch.
   * - In a shard that `wasAbandoned`, these deliveries and due scheduled deliveries are marked as abandoned.
   * - Those of the shards that the worker owns are marked as recovered.
   */
  recover(
    workerId: string,
    shards: readonly {
      /** The number of the shard. */
      readonly shard: number;
      /** The watermark of the last owner, by the store's clock. */
      readonly watermark: EpochMs;
      /** Whether the lease of the last owner expired before it released the shard. */
      readonly wasAbandoned: boolean;
    }[],
  ): Promise<'stored' | 'fenced'>;
  /**
   * Reads all endpoints of the given accounts.
   *
   * - Endpoints of an account come in order of creation; accounts without endpoints are left out.
   */
  readEndpoints(
    accountIds: readonly string[],
    knownVersion: number,
  ): Promise<
    StoreState & {
      /** The endpoints of these accounts. */
      readonly endpoints: readonly OwnedEndpoint[];
    }
  >;
  /**
   * Finds accounts with queued deliveries, for a worker that takes shards over.
   *
   * - Reads at most `limit` accounts with pending deliveries of each range, in their order.
   * - May find accounts whose queued deliveries are of deleted endpoints.
   */
  readQueuedAccounts(
    ranges: readonly ShardRange[],
    limit: number,
  ): Promise<{
    /** The accounts that were found. */
    readonly accountIds: readonly string[];
    /** The ranges that remain: accounts after the last one that was read. */
    readonly rest: readonly ShardRange[];
  }>;
}
