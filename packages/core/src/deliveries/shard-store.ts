import type { DurationMs, EpochMs } from '../runtime/time.ts';

/**
 * The workers that share a store.
 * @public
 */
export interface Membership {
  /** Workers whose lease has not expired and that are not stopping, the asking one included. */
  readonly workers: number;
  /** Shards without an owner. */
  readonly freeShards: number;
  /** Until the first lease of another worker expires. Absent: there is no other worker. */
  readonly nextExpiryIn?: DurationMs;
}

/**
 * What a worker says when it renews its lease.
 * @public
 */
export interface Beat {
  /** Shards whose mark is raised. */
  readonly shards: readonly number[];
  readonly settledTo: EpochMs;
  /** It acquires no more shards: others take its share. */
  readonly isStopping: boolean;
}

/**
 * A shard that a worker became the owner of.
 * @public
 */
export interface AcquiredShard {
  readonly shard: number;
  /** As the last owner marked it: every event that was dispatched before is settled or pending. By the store's clock. */
  readonly settledTo: EpochMs;
  /** The last owner did not release it: its lease expired, and attempts may have been under way. */
  readonly wasAbandoned: boolean;
}

/**
 * What woke a worker: events of these shards were committed; or workers or free shards came or went.
 * @public
 */
export type Wake = { readonly kind: 'events'; readonly shards: readonly number[] } | { readonly kind: 'members' };

/**
 * Port: which worker owns which shard. A worker is alive while its row is there; expired workers are deleted by whoever sees them.
 *
 * - A write of a worker (`acquire`, and those of `DeliveryStore` and `ParentPropagation`) changes nothing and resolves to `'fenced'` when
 *   the worker's row is gone. It keeps that row from being deleted until it is committed.
 * - A shard is free when it has no owner, or its owner's row is gone. A shard has one owner at most.
 * - Leases are measured by the store's clock.
 * @public
 */
export interface ShardStore {
  /**
   * - Adds a worker under a new id, whose lease expires after `lease`. Made again, as after an answer that was lost, it renews the lease.
   * - Deletes expired workers.
   * - Wakes those who watch (`members`).
   */
  join(workerId: string, lease: DurationMs): Promise<void>;
  /**
   * - Renews the lease, from now on, of a worker whose row is there, even if it has expired.
   * - Deletes other expired workers, but waits for none of them.
   * - Raises `settledTo` of the given shards that the worker owns. It is never lowered.
   * - A worker that once said that it is stopping is so until its row is gone. When it begins to, wakes those who watch (`members`).
   */
  heartbeat(workerId: string, lease: DurationMs, beat: Beat): Promise<Membership | 'fenced'>;
  /** - Makes the worker the owner of up to `limit` free shards; two workers never get the same one. */
  acquire(workerId: string, limit: number): Promise<readonly AcquiredShard[] | 'fenced'>;
  /**
   * - Frees those of the shards that the worker owns.
   * - Wakes those who watch (`members`).
   */
  release(workerId: string, shards: readonly number[]): Promise<void>;
  /**
   * - Frees all shards of the worker, and deletes its row.
   * - Wakes those who watch (`members`).
   */
  leave(workerId: string): Promise<void>;
  /**
   * - From when it resolves, calls `onWake` soon after events were committed, and after workers or shards came or went. Polling stays the
   *   safety net: a wake may be lost.
   * - Resolves to the way to stop.
   */
  watch(onWake: (wake: Wake) => void): Promise<() => void>;
}
