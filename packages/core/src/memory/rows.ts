import type { SendOutcome } from '../deliveries/sender.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { NewEvent } from '../events/event.ts';
import type { EpochMs, EpochSeconds } from '../runtime/time.ts';
import type { AccountQueues } from './account-queues.ts';
import type { HealthRow } from './endpoint-health.ts';
import type { Sorted } from './sorted.ts';

/** A shard. @internal */
export interface ShardRow {
  readonly shard: number;
  /** A worker; its row may have been deleted. */
  owner: string | undefined;
  watermark: EpochMs;
  /** The largest timestamp of a pruned event. */
  prunedTimestamp: EpochSeconds | undefined;
  readonly accounts: AccountRow[];
  readonly outbox: AccountQueues<EventRow>;
  readonly propagated: AccountQueues<EventRow>;
  /** In order of dispatch. */
  readonly dispatched: Sorted<DispatchedRow>;
  /** In order of due time. */
  readonly scheduled: Sorted<PendingRow>;
  /** The number of queued deliveries of each account. */
  readonly queued: Map<AccountRow, number>;
}

/** A worker. @internal */
export interface WorkerRow {
  /** The end of its lease. */
  expiresAt: EpochMs;
  isStopping: boolean;
  /** The number of its last settlement. */
  settled: number;
}

/** An account with its events and endpoints. @internal */
export interface AccountRow {
  readonly accountId: string;
  readonly shard: ShardRow;
  /** In order of commit. */
  readonly events: Map<string, EventRow>;
  /** The timestamps of the events of each object, ascending. */
  readonly timestamps: Map<string, EpochSeconds[]>;
  /** In order of creation. */
  readonly endpoints: Map<string, EndpointRow>;
  /** By endpoint, which may be deleted. */
  readonly pending: Map<string, EndpointPending>;
}

/** An endpoint. @internal */
export interface EndpointRow {
  endpoint: Endpoint;
  /** When it was last enabled or disabled. */
  since: EpochMs;
  health: HealthRow | undefined;
}

/** An event. @internal */
export interface EventRow {
  readonly account: AccountRow;
  readonly event: NewEvent;
  /** Grows with each commit. */
  readonly position: number;
  readonly storedAt: EpochMs;
  dispatch: Dispatch | undefined;
  /** Whether it waits for propagation. */
  isPropagating: boolean;
  /** Whether it was pruned; the log of its deliveries is left. */
  isDropped: boolean;
  /** Deliveries with a log or a pending row. Replaced, not appended to: a growing array reserves room for seventeen. */
  deliveries: readonly DeliveryRow[];
}

/** A dispatched event. @internal */
export interface DispatchedRow extends EventRow {
  dispatch: Dispatch;
}

interface Dispatch {
  readonly at: EpochMs;
  /** Its moment in {@link EndpointHistory}. */
  readonly moment: number;
  readonly timestamp: EpochSeconds;
  readonly endpointIds: readonly string[];
}

/** A delivery. @internal */
export interface DeliveryRow {
  readonly event: DispatchedRow;
  readonly endpointId: string;
  readonly replay: number;
  /** In order of number. Replaced, not appended to. */
  log: readonly LogRow[];
  pending: PendingRow | undefined;
}

/** An attempt, or the expiry of a delivery without one. @internal */
export interface LogRow {
  readonly number: number;
  readonly at: EpochMs;
  readonly outcome: SendOutcome | { readonly kind: 'expired'; readonly reason: 'endpoint_deleted' | 'held_too_long' };
  readonly state?: 'delivered' | 'exhausted' | 'expired';
}

/** A pending delivery. Replaced when it changes, so that its position in an index never changes. @internal */
export interface PendingRow {
  readonly delivery: DeliveryRow;
  readonly state: 'scheduled' | 'queued';
  readonly dueAt: EpochMs;
  readonly attempts: number;
  readonly logged: number;
  readonly isAbandoned: boolean;
  /** Whether its next attempt is made while the breaker pauses the endpoint. */
  readonly isUrgent: boolean;
  /** When it was created, or its last attempt ended. */
  readonly since: EpochMs;
}

/** The pending deliveries of an endpoint. @internal */
export interface EndpointPending {
  /** All of them. */
  readonly rows: Set<PendingRow>;
  /** Queued ones, by due time. */
  readonly queued: Sorted<PendingRow>;
  /** Queued ones, most attempts first. */
  readonly attempted: Sorted<PendingRow>;
}
