import type { DurationMs, EpochMs } from '../base/runtime/time.ts';
import type { HandlerStatus } from '../webhooks/deliveries/handler-store.ts';
import type { Backlog } from '../webhooks/log/delivery-log.ts';
import type { TableSize, TroubledEndpoint } from '../webhooks/log/health-snapshot.ts';
import type { CheckFinding } from './check-finding.ts';

/**
 * A worker, of any process over the storage.
 * @public
 */
export interface WorkerHealth {
  /** Its id. */
  readonly id: string;
  /** When it joined, by the clock of its process. */
  readonly since: EpochMs;
  /** Number of shards that it owns, of 128. */
  readonly shards: number;
  /** It is stopping: it waits for its attempts in flight, and acquires no shards. */
  readonly isStopping: boolean;
  /** Rest of its lease, in milliseconds; 0: it does not renew it, and its shards have no owner. */
  readonly leaseLeft: DurationMs;
}

/**
 * What an operator asks first: is anything wrong, what, and what to do.
 * @public
 */
export interface HealthReport {
  /**
   * The worst of the reasons.
   *
   * - `ok`: there is none.
   * - `attention`: something is late, fails or is about to; events are delivered.
   * - `failing`: events wait and no worker delivers them, or `check()` has findings.
   */
  readonly status: 'ok' | 'attention' | 'failing';
  /** Why, one sentence each, the worst first. Empty when the status is `ok`. */
  readonly reasons: readonly string[];
  /** When it was read, by the clock of the storage. */
  readonly at: EpochMs;
  /** Unfinished work of all accounts. */
  readonly backlog: Backlog & {
    /** Age of the oldest event that is not dispatched, in milliseconds. Absent: there is none. */
    readonly oldestUndispatched?: DurationMs;
  };
  /** The workers of all processes, in the order in which they joined. */
  readonly workers: readonly WorkerHealth[];
  /** Number of shards without a worker, of 128: their accounts wait. */
  readonly freeShards: number;
  /** Number of endpoints that fail. 10,000 means 10,000 or more. */
  readonly failingEndpoints: number;
  /** The worst endpoints of all accounts, at most 10. */
  readonly endpoints: readonly TroubledEndpoint[];
  /** The registered handlers, with what waits for each. */
  readonly handlers: readonly HandlerStatus[];
  /** The largest tables. Absent: the storage does not know their sizes cheaply. */
  readonly tables?: readonly TableSize[];
  /** What `check()` finds; `onError` received the causes. Empty without `check`. */
  readonly findings: readonly Omit<CheckFinding, 'cause'>[];
  /** What `check()` warns of. Empty without `check`. */
  readonly warnings: readonly string[];
}

/**
 * Options of `health`.
 * @public
 */
export interface HealthOptions {
  /**
   * Whether it calls the ports as `check()` does. `false` for calls that are repeated, such as by a monitor: `check()`
   * reads every endpoint. @defaultValue true
   */
  readonly check?: boolean;
}
