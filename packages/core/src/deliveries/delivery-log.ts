import type { EventFilter } from '../events/event-store.ts';
import type { PageRequest, StoredPage } from '../runtime/page.ts';
import type { DurationMs, EpochMs } from '../runtime/time.ts';
import type { DeliveryKey } from './delivery-id.ts';
import type { ExplainSnapshot } from './explain.ts';
import type { SendOutcome } from './sender.ts';

/**
 * One event for one endpoint, as operators see it.
 *
 * `waiting` for an attempt, or being attempted; `held` while its endpoint is disabled; `delivered`; `exhausted` after its last attempt;
 * `expired` because its endpoint was deleted, it was held for too long, or the event's account is no child any more.
 * @public
 */
export interface Delivery {
  /** As `deliveryIdOf` makes it: event, endpoint, and the number of a delivery that was sent again. */
  readonly id: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly state: 'waiting' | 'held' | 'delivered' | 'exhausted' | 'expired';
  /** Attempts that count towards exhaustion. */
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
 * What `sendAgain` did.
 *
 * `sent`: it waits and is due, under this id: a new one when the old delivery was finished. `unfinished`: another delivery of the
 * same event to the same endpoint is not finished yet. Any other kind refuses and changes nothing.
 * @public
 */
export type SentAgain =
  | { readonly kind: 'sent' | 'unfinished'; readonly deliveryId: string }
  | { readonly kind: 'not_found' | 'held' | 'endpoint_disabled' | 'endpoint_deleted' | 'event_dropped' };

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
 * What a batch of a replay did: `deliveries` is the number that was made. Without `next` it was the last batch. `invalid_cursor`: `after` is
 * no `next` of this store.
 * @public
 */
export type Replayed =
  | { readonly kind: 'replayed'; readonly deliveries: number; readonly next?: string }
  | { readonly kind: 'not_found' | 'endpoint_disabled' | 'invalid_cursor' };

/**
 * What is not finished. Each number is counted to `maxCounted`: that one means so many, or more.
 * @public
 */
export interface Backlog {
  /** Committed events that were not dispatched. */
  readonly undispatched: number;
  /** Deliveries that wait for an attempt or are being attempted. */
  readonly waiting: number;
  /** Deliveries of disabled endpoints. */
  readonly held: number;
  /**
   * How long the oldest delivery that is due has been due; absent when none is. Deliveries of paused endpoints are due; those of a replay,
   * which come last in any case, do not count before they were attempted.
   */
  readonly oldestDue?: DurationMs;
}

/**
 * The ages, by the store's clock, at which rows are deleted.
 * @public
 */
export interface PruneLimits {
  /** A delivery that was held for so long expires. */
  readonly held: DurationMs;
  /** Pending deliveries expire so long after their endpoint was deleted: an attempt that was under way has ended by then. */
  readonly deleted: DurationMs;
  /** Events go so long after they were dispatched, and once none of their deliveries is unfinished. */
  readonly events: DurationMs;
  /** Attempts go so long after they ended. */
  readonly attempts: DurationMs;
  /** About how many rows of each kind are deleted at most: a short transaction. */
  readonly limit: number;
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
  readonly hasMore: boolean;
}

/**
 * Port: what operators see and do. Whatever belongs to another account is not there.
 *
 * - A delivery without a log that is not pending, of an event that was dispatched at its shard's `settledTo` or later, is `waiting`: the
 *   shard's owner has it. If the event was dispatched before, its log was pruned.
 * - A pending delivery is `held` while its endpoint is not enabled, and `expired` once its endpoint is deleted; else it is `waiting`.
 * @public
 */
export interface DeliveryLog {
  /**
   * In the order of their events, also of those that were pruned, while something of them is logged: these fit no filter by object, type or
   * time. A page looks at a bounded number of deliveries, however few of them fit: it may hold fewer than it was
   * asked for, or none, and have a `next` all the same.
   */
  listDeliveries(accountId: string, filter: DeliveryFilter, page: PageRequest): Promise<StoredPage<Delivery>>;
  /** The attempts of a delivery of this account, in order. */
  listAttempts(key: DeliveryKey): Promise<readonly Attempt[]>;
  /** All that explains what became of an event for an endpoint, of one moment. */
  readExplainSnapshot(accountId: string, eventId: string, endpointId: string): Promise<ExplainSnapshot>;
  /**
   * - One that waits is due now. One that is finished stays as it is, and a new one of the same event for the same endpoint is due, unless
   *   there is an unfinished one: of N racers exactly one makes it.
   * - Wakes those who watch the shard.
   */
  sendAgain(key: DeliveryKey): Promise<SentAgain>;
  /**
   * - Queues new deliveries for an endpoint that is enabled, of the events of a time that it receives as it stands now, whether they were sent
   *   to it before or not; test events are left out. A bounded number of events at each call, oldest first, in one short act. An event
   *   with an unfinished delivery to the endpoint is left out, so of N racers one makes it.
   * - They are queued behind all others of their endpoint (due at infinity). The endpoint version of the shard grows, and those who watch are
   *   woken.
   */
  replay(accountId: string, endpointId: string, range: ReplayRange): Promise<Replayed>;
  /** The backlog of an account, or of all. It costs the same however large that is. */
  countBacklog(accountId?: string): Promise<Backlog>;
  /**
   * Called by the owner of the shards. A bounded piece at each call, which delays nothing else.
   * - Deliveries that were held for too long expire, each told to one of those who prune at once; pending deliveries of deleted endpoints expire.
   * - Deletes events, attempts, idempotency keys and revoked tokens whose time has passed; no event with an unfinished delivery or dispatched
   *   after its shard's `settledTo`. Rows that must stay do not block deletion of newer rows.
   * - No event that is dispatched later gets the second of one that is gone (`OutboxEvent.lastSecond`).
   */
  prune(shards: readonly number[], limits: PruneLimits): Promise<Pruned>;
}
