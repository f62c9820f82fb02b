import type { DurationMs, EpochMs } from '../../base/runtime/time.ts';
import type { AnnouncedEvent } from '../deliveries/delivery-store.ts';

/**
 * What a store has of a worker. A store that lost commits, as after a failover to a replica without them, has less than
 * it confirmed to the worker.
 * @public
 */
export interface WorkerRecord {
  /** The shards that the worker owns and has recovered, in ascending order. */
  readonly shards: readonly number[];
  /** The shards that it owns and has not recovered, in ascending order. */
  readonly acquired: readonly number[];
  /** Number of its last settlement that changed more than the log; 0: there is none, or an earlier one is missing. */
  readonly settlement: number;
  /** The version of the last change of an endpoint, as `StoreState` has it. */
  readonly endpointVersion: number;
}

/**
 * The workers that share a store.
 * @public
 */
export interface WorkerMembership {
  /** Workers with a valid lease that are not stopping, including the calling one. */
  readonly workers: number;
  /** Shards without an owner. */
  readonly freeShards: number;
  /** Milliseconds until the first lease of another worker expires. Absent: there is no other worker. */
  readonly nextExpiryIn?: DurationMs;
  /** What the store has of the calling worker, which compares it with what was confirmed to it. */
  readonly stored: WorkerRecord;
}

/**
 * What a worker reports when it renews its lease.
 * @public
 */
export interface HeartbeatInput {
  /** Shards whose `watermark` is raised. */
  readonly shards: readonly number[];
  /** Every event of these shards dispatched before this moment is settled or pending. By the store's clock. */
  readonly watermark: EpochMs;
  /** Number of the last settlement that the watermark includes. */
  readonly settlement: number;
  /** Whether the worker is stopping: it acquires no more shards, and others take over its share. */
  readonly isStopping: boolean;
}

/**
 * A shard that a worker has acquired.
 * @public
 */
export interface AcquiredShard {
  /** The shard, from 0. */
  readonly shard: number;
  /** As the last owner stored it: every event dispatched before is settled or pending. By the store's clock. */
  readonly watermark: EpochMs;
  /** The last owner's lease expired before it released the shard; attempts may have been in flight. */
  readonly wasAbandoned: boolean;
}

/**
 * Why a worker was woken: events were committed (`events`), or workers or free shards changed (`members`).
 * @public
 */
export type ShardWake =
  | {
      readonly kind: 'events';
      /** The shards of the events. */
      readonly shards: readonly number[];
      /** All of the events. Absent: they are to be read. */
      readonly announced?: readonly AnnouncedEvent[];
    }
  | { readonly kind: 'members' };

/**
 * Port: ownership of shards. A worker is alive while its row exists; any worker deletes the rows of expired ones.
 *
 * - A write by a worker (`acquire`, and those of `DeliveryStore` and `ParentPropagation`) changes nothing and
 *   resolves to `'fenced'` when the worker's row was deleted. The row cannot be deleted before the write commits.
 * - A shard is free when it has no owner, or its owner's row was deleted. A shard has at most one owner.
 * - Leases are measured by the store's clock.
 * @public
 */
export interface ShardStore {
  /**
   * Adds a worker under a new id.
   *
   * - Its lease expires after `lease`, in milliseconds.
   * - Repeated, as after a lost response, it renews the lease.
   * - Deletes expired workers.
   * - Wakes watchers (`members`).
   */
  join(workerId: string, lease: DurationMs): Promise<void>;
  /**
   * Renews the lease of a worker.
   *
   * - Renews the lease of an existing row, even if it has expired.
   * - Deletes other expired workers without waiting for any of them.
   * - Raises `watermark` of the given shards that the worker owns and has recovered; never lowers it. A store that has
   *   no settlement of the worker with the number `settlement`, or a larger one, raises none.
   * - A worker that reported `isStopping` stays so until its row is deleted. The first such report wakes watchers
   *   (`members`).
   */
  heartbeat(workerId: string, lease: DurationMs, beat: HeartbeatInput): Promise<WorkerMembership | 'fenced'>;
  /** Makes the worker the owner of up to `limit` free shards. Two workers never acquire the same shard. */
  acquire(workerId: string, limit: number): Promise<readonly AcquiredShard[] | 'fenced'>;
  /** Frees those of the given shards that the worker owns. Wakes watchers (`members`). */
  release(workerId: string, shards: readonly number[]): Promise<void>;
  /** Frees all shards of the worker and deletes its row. Wakes watchers (`members`). */
  leave(workerId: string): Promise<void>;
  /** Whether a worker with a lease that has not expired exists. One lookup: publishing processes ask each minute. */
  hasWorkers(): Promise<boolean>;
  /**
   * Watches for work.
   *
   * - Once it resolves, calls `onWake` soon after events are committed, and after workers or shards change.
   * - A wake may come before the commit, too, and after a rollback.
   * - A wake may be lost, as when a transaction stays open for long; polling finds the work.
   * - Resolves to the function that stops watching.
   */
  watch(onWake: (wake: ShardWake) => void): Promise<() => void>;
}
