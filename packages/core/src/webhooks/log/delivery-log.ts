import type { PageRequest, StoredPage } from '../../base/pagination/page.ts';
import type { DurationMs, EpochMs, EpochSeconds } from '../../base/runtime/time.ts';
import type { LastFailure } from '../../base/signals/health-change.ts';
import type { EventPairs } from '../catalogue/pairs.ts';
import type { DeliveryKey } from '../deliveries/delivery-id.ts';
import type { SendOutcome } from '../deliveries/sender.ts';
import type { EventFilter } from '../events/event-filter.ts';
import type { ExplainSnapshot } from './explain-snapshot.ts';
import type { HealthSnapshot } from './health-snapshot.ts';
import type { StoredStatistics } from './statistics.ts';

/**
 * An endpoint by its account.
 * @public
 */
export interface EndpointPlace {
  readonly accountId: string;
  readonly endpointId: string;
}

/**
 * An endpoint whose attempts fail.
 * @public
 */
export interface FailingEndpoint extends EndpointPlace {
  /** Failed attempts since the last success. */
  readonly failures: number;
  /** When the first of them ended, by the store's clock. The same until an attempt succeeds. */
  readonly failingSince: EpochMs;
  /** The last failed attempt, as it was stored with the health. */
  readonly lastFailure?: LastFailure;
}

/**
 * The deliveries of an endpoint that failed in an hour, by the store's clock: exhausted or expired.
 * @public
 */
export interface FailedHour extends EndpointPlace {
  /** Start of the hour, in milliseconds since 1970. */
  readonly hour: EpochMs;
  readonly state: 'exhausted' | 'expired';
  /** Number of these deliveries. */
  readonly deliveries: number;
}

/**
 * Identifies a {@link FailedHour}.
 * @public
 */
export type FailedHourKey = Omit<FailedHour, 'deliveries'>;

/**
 * One event for one endpoint, as operators see it.
 * @public
 */
export interface Delivery {
  /** See `deliveryIdOf`: event, endpoint and, for repeated deliveries, their number. */
  readonly id: string;
  readonly eventId: string;
  readonly endpointId: string;
  /**
   * The state.
   *
   * - `waiting`: an attempt is due, scheduled or in flight.
   * - `held`: the endpoint is disabled.
   * - `delivered`: the receiver returned a 2xx status.
   * - `exhausted`: the last attempt failed.
   * - `expired`: the endpoint was deleted, the delivery was held too long, or the event's account is no longer a
   *   child.
   */
  readonly state: 'waiting' | 'held' | 'delivered' | 'exhausted' | 'expired';
  /** Attempts that count towards exhaustion: a response 410 and an abandoned attempt do not. */
  readonly attempts: number;
  /** What the event is about. Absent: it was pruned. */
  readonly event?: {
    /** The kind of object. */
    readonly objectName: string;
    /** `data.id`. */
    readonly objectId: string;
    /** The event type. */
    readonly type: string;
    /** The timestamp of its envelope, in seconds since 1970. */
    readonly timestamp: EpochSeconds;
    /** Whether it is a test event. */
    readonly isTest: boolean;
  };
}

/**
 * One HTTP POST of a delivery, as logged.
 * @public
 */
export type Attempt = SendOutcome & {
  /** When the outcome was stored, by the store's clock. */
  readonly at: EpochMs;
};

/**
 * Which deliveries to list. A delivery matches when it matches every given field. `from` and `to` compare when the
 * event was dispatched, by the store's clock.
 * @public
 */
export interface DeliveryFilter<P extends EventPairs = EventPairs> extends EventFilter<P> {
  readonly endpointId?: string;
  readonly eventId?: string;
  readonly state?: Delivery['state'];
}

/**
 * The outcome of `sendAgain`.
 *
 * - `sent`: the delivery is due.
 * - `unfinished`: another delivery of the same event to the same endpoint is not finished; nothing changed.
 * - Any other kind is a refusal; nothing changed.
 * @public
 */
export type SendAgainOutcome =
  | {
      readonly kind: 'sent' | 'unfinished';
      /** The delivery that is due, with a new id when the old one was finished; or the unfinished one. */
      readonly deliveryId: string;
    }
  | { readonly kind: 'not_found' | 'held' | 'endpoint_disabled' | 'endpoint_deleted' | 'event_dropped' };

/**
 * The period of a replay: its events are published at `from` or later, before `to`, and dispatched.
 * @public
 */
export interface ReplayRange {
  /** First moment, inclusive, in milliseconds since 1970. */
  readonly from: EpochMs;
  /** Last moment, exclusive; not before `from`. */
  readonly to: EpochMs;
  /** Continues after the previous batch: its `next`. */
  readonly after?: string;
  /** Only counts what would be sent. @defaultValue false */
  readonly isDryRun?: boolean;
}

/**
 * Which events of a period a replay sends.
 * @public
 */
export interface ReplaySelection extends ReplayRange {
  /**
   * Only events of which a delivery to the endpoint is exhausted or expired, and none is delivered.
   * @defaultValue false
   */
  readonly onlyFailed?: boolean;
}

/**
 * The outcome of one batch of a replay.
 *
 * - `replayed`: the deliveries of this batch are due; after a dry run, nothing changed.
 * - `not_found`, `endpoint_disabled`: nothing changed.
 * - `wrong_kind`: the endpoint is pulled; nothing changed.
 * - `invalid_cursor`: `after` is no `next` of this store.
 * @public
 */
export type ReplayOutcome =
  | {
      readonly kind: 'replayed';
      /** Number of new deliveries of this batch; in a dry run, of those that it would create. */
      readonly deliveries: number;
      /** Cursor of the next batch. Absent after the last batch. */
      readonly next?: string;
    }
  | { readonly kind: 'not_found' | 'endpoint_disabled' | 'invalid_cursor' | 'wrong_kind' };

/**
 * Unfinished work. Counts stop at 10,000 (`maxCounted`), which then means "at least".
 * @public
 */
export interface Backlog {
  /** Committed events that are not dispatched. */
  readonly undispatched: number;
  /** Deliveries that are due, scheduled or in flight. */
  readonly waiting: number;
  /** Deliveries of disabled endpoints. */
  readonly held: number;
  /**
   * Age of the oldest due delivery in milliseconds; absent when none is due. Includes paused endpoints; excludes
   * replayed deliveries before their first attempt, because they come last.
   */
  readonly oldestDue?: DurationMs;
}

/**
 * The ages at which rows are deleted, by the store's clock.
 * @public
 */
export interface PruneLimits {
  /** A delivery held for this time expires. */
  readonly held: DurationMs;
  /** Pending deliveries expire this time after their endpoint was deleted; attempts in flight have ended by then. */
  readonly deleted: DurationMs;
  /**
   * Events are deleted with their attempts this time after their dispatch and their last attempt, unless a delivery is
   * unfinished.
   */
  readonly events: DurationMs;
  /** Approximate maximum number of deleted rows of each kind, which keeps the transaction short. */
  readonly limit: number;
}

/**
 * What was pruned.
 * @public
 */
export interface PruneOutcome {
  /** Held deliveries that expired, by endpoint. */
  readonly expired: readonly {
    readonly accountId: string;
    readonly endpointId: string;
    /** The number of expired deliveries. */
    readonly deliveries: number;
  }[];
  /** More rows can be pruned at once. */
  readonly hasMore: boolean;
}

/**
 * Port: deliveries as operators see them. Rows of other accounts count as absent.
 *
 * - A delivery without attempts and without a pending row is `waiting` when its event was dispatched at the shard's
 *   `watermark` or later: the shard's owner has it. Otherwise its attempts were pruned.
 * - A pending delivery is `held` while its endpoint is disabled, `expired` once the endpoint is deleted, else
 *   `waiting`.
 * @public
 */
export interface DeliveryLog {
  /**
   * Lists deliveries in the order of their events.
   *
   * - Includes deliveries of pruned events while attempts are logged; these match no filter by object, type or time.
   * - A page reads a bounded number of deliveries: it may be short or empty and still have a `next`.
   */
  listDeliveries(
    accountId: string,
    filter: DeliveryFilter<EventPairs>,
    page: PageRequest,
  ): Promise<StoredPage<Delivery>>;
  /** Lists the attempts of a delivery of this account, in order. */
  listAttempts(key: DeliveryKey): Promise<readonly Attempt[]>;
  /** Reads all facts that explain an event for an endpoint, as of one moment. */
  readExplainSnapshot(accountId: string, eventId: string, endpointId: string): Promise<ExplainSnapshot>;
  /**
   * Sends a delivery again.
   *
   * - A waiting delivery becomes scheduled, due now at the latest, and urgent. One that no settlement has stored, and
   *   only its worker knows, stays as it is: its first attempt is due.
   * - A finished delivery stays as it is; a new delivery of the same event to the same endpoint is due and urgent.
   * - While another delivery of the two is unfinished, none is created: of N simultaneous calls, exactly one creates
   *   it.
   * - Wakes the watchers of the shard.
   */
  sendAgain(key: DeliveryKey): Promise<SendAgainOutcome>;
  /**
   * Queues new deliveries of one batch of events.
   *
   * - Selects events of the period as the enabled endpoint's subscription selects them now, sent before or not; with
   *   `onlyFailed`, those that failed. The cost of these does not grow with the other events.
   * - Skips test events, and events with an unfinished delivery to the endpoint: of N simultaneous calls, one creates
   *   it.
   * - Handles a bounded number of events, oldest first, in one short transaction.
   * - Queues them behind all other deliveries of the endpoint (due at infinity).
   * - Increments the endpoint version of the shard and wakes its watchers.
   */
  replay(accountId: string, endpointId: string, selection: ReplaySelection): Promise<ReplayOutcome>;
  /**
   * Counts the attempts of endpoints that ended at `from` or later, in buckets of `width` milliseconds since 1970, and
   * what waits.
   *
   * - Leaves out endpoints that the account does not have, and buckets without attempts.
   * - The order of endpoints is free.
   * - Reads at most 20,000 attempts of the account, those of the newest events; `isComplete` tells whether these were
   *   all. Counts of deliveries are bounded, too.
   */
  readStatistics(
    accountId: string,
    endpointIds: readonly string[],
    period: { readonly from: EpochMs; readonly width: DurationMs },
  ): Promise<{ readonly endpoints: readonly StoredStatistics[]; readonly isComplete: boolean }>;
  /** Counts the backlog of an account, or of all accounts. The cost does not grow with the backlog. */
  countBacklog(accountId?: string): Promise<Backlog>;
  /**
   * Reads enabled endpoints whose breaker opened, with a first failure `failingFor` ago or earlier, in the order of
   * account and endpoint, after the one given. The cost does not grow with deliveries.
   *
   * - `next`: the place after which to go on. A page may be short or empty and still have one.
   */
  readFailing(
    failingFor: DurationMs,
    page: {
      /** The place after which to read. Absent: from the first. */
      readonly after?: EndpointPlace;
      /** Maximum number of failing endpoints to read. */
      readonly limit: number;
    },
  ): Promise<{
    readonly endpoints: readonly FailingEndpoint[];
    /** Where to go on. Absent: there are no more. */
    readonly next?: EndpointPlace;
  }>;
  /**
   * Reads hours with failed deliveries that ended `age` ago or earlier, in the order of hour, account, endpoint and
   * state, after the one given, at most `limit`.
   *
   * - A delivery is counted in the transaction that logs its last attempt as exhausted or expired, or that expires it
   *   because it was held too long. One of a deleted endpoint is not counted.
   */
  readFailedHours(
    age: DurationMs,
    page: {
      /** The hour after which to read. Absent: from the first. */
      readonly after?: FailedHourKey;
      /** Maximum number of hours to read. */
      readonly limit: number;
    },
  ): Promise<readonly FailedHour[]>;
  /** Deletes hours with failed deliveries. Those that are not stored are left out. */
  deleteFailedHours(hours: readonly FailedHourKey[]): Promise<void>;
  /**
   * Reads what an operator asks first, of all accounts.
   *
   * - The worst endpoints take turns: those that fail longest, those that the breaker disabled and whose deliveries are
   *   held longest, and enabled ones whose deliveries are due longest. None is named twice.
   * - The cost grows with endpoints that have unfinished deliveries, up to a bound; never with finished deliveries.
   */
  readHealthSnapshot(): Promise<HealthSnapshot>;
  /**
   * Deletes a bounded number of old rows of the given shards, without delaying other work. Called by the shards' owner.
   *
   * - Held deliveries expire after their time; each is reported to exactly one caller.
   * - Pending deliveries of deleted endpoints expire.
   * - Deletes old events, attempts, idempotency keys and revoked tokens.
   * - Keeps events with an unfinished delivery, and events dispatched after their shard's `watermark`.
   * - Rows that must stay do not block deletion of newer rows.
   * - No later event receives the timestamp of a deleted event (`OutboxEvent.lastTimestamp`).
   */
  prune(shards: readonly number[], limits: PruneLimits): Promise<PruneOutcome>;
}
