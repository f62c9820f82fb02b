import type { SendOutcome } from '../deliveries/sender.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { NewEvent } from '../events/event.ts';
import type { EpochMs, EpochSeconds } from '../runtime/time.ts';
import type { AccountQueues } from './account-queues.ts';
import type { HealthRow } from './endpoint-health.ts';
import type { Sorted } from './sorted.ts';

/** @internal */
export interface ShardRow {
  readonly shard: number;
  /** A worker, whose row may be gone. */
  owner: string | undefined;
  settledTo: EpochMs;
  /** The largest second of an event that was pruned. */
  prunedSecond: EpochSeconds | undefined;
  readonly accounts: AccountRow[];
  readonly outbox: AccountQueues<EventRow>;
  readonly propagated: AccountQueues<EventRow>;
  /** In the order in which they were dispatched. */
  readonly dispatched: Sorted<DispatchedRow>;
  /** By when they are due. */
  readonly scheduled: Sorted<PendingRow>;
  /** How many queued deliveries each account has. */
  readonly queued: Map<AccountRow, number>;
}

/** @internal */
export interface AccountRow {
  readonly accountId: string;
  readonly shard: ShardRow;
  /** In the order in which they were committed. */
  readonly events: Map<string, EventRow>;
  /** The seconds of the events of each object, in order. */
  readonly seconds: Map<string, EpochSeconds[]>;
  /** In the order in which they were created. */
  readonly endpoints: Map<string, EndpointRow>;
  /** By endpoint, which may be deleted. */
  readonly pending: Map<string, EndpointPending>;
}

/** @internal */
export interface EndpointRow {
  endpoint: Endpoint;
  /** Since when it is enabled, or is not. */
  since: EpochMs;
  health: HealthRow | undefined;
}

/** @internal */
export interface EventRow {
  readonly account: AccountRow;
  readonly event: NewEvent;
  /** Grows with each commit. */
  readonly position: number;
  readonly storedAt: EpochMs;
  dispatch: Dispatch | undefined;
  /** It waits for the parent of its account to be found. */
  isPropagating: boolean;
  /** It was pruned; what is left is the log of its deliveries. */
  isDropped: boolean;
  /** Those that have a log, or are pending. Replaced, not added to: an array that grows takes room for seventeen. */
  deliveries: readonly DeliveryRow[];
}

/** @internal */
export interface DispatchedRow extends EventRow {
  dispatch: Dispatch;
}

interface Dispatch {
  readonly at: EpochMs;
  /** Among the changes of endpoints. */
  readonly moment: number;
  readonly second: EpochSeconds;
  readonly endpointIds: readonly string[];
}

/** @internal */
export interface DeliveryRow {
  readonly event: DispatchedRow;
  readonly endpointId: string;
  readonly replay: number;
  /** By number. Replaced, not added to. */
  log: readonly LogRow[];
  pending: PendingRow | undefined;
}

/** An attempt; or that the delivery expired without one. @internal */
export interface LogRow {
  readonly number: number;
  readonly at: EpochMs;
  readonly outcome: SendOutcome | { readonly kind: 'expired'; readonly reason: 'endpoint_deleted' | 'held_too_long' };
  readonly state?: 'delivered' | 'exhausted' | 'expired';
}

/** Replaced when it changes, so that it never changes its place in an index. @internal */
export interface PendingRow {
  readonly delivery: DeliveryRow;
  readonly state: 'scheduled' | 'queued';
  readonly dueAt: EpochMs;
  readonly attempts: number;
  readonly logged: number;
  readonly isAbandoned: boolean;
  /** When it was made, or last left an attempt. */
  readonly since: EpochMs;
}

/** What an endpoint has pending. @internal */
export interface EndpointPending {
  readonly rows: Set<PendingRow>;
  /** Those that are queued, by when they are due. */
  readonly queued: Sorted<PendingRow>;
  /** The same, those with most attempts first. */
  readonly attempted: Sorted<PendingRow>;
}
