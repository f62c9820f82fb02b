import { ask } from '../runtime/unavailable.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { shardCount } from './shard.ts';
import type { AcquiredShard, Membership, ShardStore } from './shard-store.ts';
import type { WorkerErrors } from './worker-errors.ts';

/** @internal */
export interface OwnershipDeps {
  readonly shards: Pick<ShardStore, 'acquire' | 'release'>;
  readonly deliveries: Pick<DeliveryStore, 'recover'>;
  readonly workerId: string;
  readonly errors: WorkerErrors;
  /** Its share is whatever is free. */
  readonly takesAll: boolean;
  /** Deliveries of a shard that are in flight or not stored yet. */
  readonly isInUse: (shard: number) => boolean;
  /** Shards are read and delivered from now on. */
  readonly onServed: (shards: readonly AcquiredShard[]) => void;
  /** Shards are no longer read: what waits in memory for them is dropped. */
  readonly onLeaving: (shards: ReadonlySet<number>) => void;
  readonly onFenced: () => void;
  /** Whether shards were acquired is not known: the worker must join anew. */
  readonly onUncertain: () => void;
}

/** Which shards a worker owns, and what it does with them. @internal */
export interface Ownership {
  /** Those that are read and delivered. */
  served(): readonly number[];
  note(members: Membership): void;
  /**
   * Takes free shards up to the share of this worker, or gives back those above it. Called between two reads only, never while rows of one
   * are processed.
   */
  balance(): Promise<void>;
  /** Reads no shard any more: each is given back by `release`, once nothing of it is in flight. */
  leaveAll(): void;
  /** Gives back those that it leaves, as soon as nothing of them is in flight or not stored. */
  release(): Promise<void>;
}

/** @internal */
export const createOwnership = (deps: OwnershipDeps): Ownership => {
  const { shards, deliveries, workerId, errors, takesAll, isInUse, onServed, onLeaving, onFenced, onUncertain } = deps;
  let members: Membership | undefined;
  let served: readonly number[] = [];
  /** Acquired, and not recovered yet. */
  let acquired: readonly AcquiredShard[] = [];
  const leaving = new Set<number>();

  const acquire = async (limit: number): Promise<void> => {
    const got = await errors.orElse(
      'acquire',
      ask(() => shards.acquire(workerId, limit)),
      undefined,
    );
    if (got === undefined) onUncertain();
    else if (got === 'fenced') onFenced();
    else acquired = [...acquired, ...got];
  };

  const recover = async (): Promise<void> => {
    const recovered = await errors.orElse(
      'acquire',
      ask(() => deliveries.recover(workerId, acquired)),
      undefined,
    );
    if (recovered === 'fenced') onFenced();
    if (recovered !== 'stored') return;
    const got = acquired;
    acquired = [];
    served = [...served, ...got.map(({ shard }) => shard)];
    onServed(got);
  };

  const release = async (): Promise<void> => {
    const free = [...leaving].filter((shard) => !isInUse(shard));
    if (free.length === 0) return;
    const isReleased = await errors.orElse(
      'release',
      ask(async () => {
        await shards.release(workerId, free);
        return true;
      }),
      false,
    );
    if (isReleased) for (const shard of free) leaving.delete(shard);
  };

  const leave = (count: number): void => {
    const going = new Set(served.slice(-count));
    served = served.slice(0, -count);
    for (const shard of going) leaving.add(shard);
    onLeaving(going);
  };

  return {
    served: () => served,
    note: (told) => {
      members = told;
    },
    balance: async () => {
      if (members) {
        const share = takesAll ? shardCount : Math.ceil(shardCount / members.workers);
        const owned = served.length + acquired.length;
        const { freeShards } = members;
        members = undefined;
        if (freeShards > 0 && owned + leaving.size < share) await acquire(share - owned - leaving.size);
        else if (served.length > share) leave(served.length - share);
      }
      if (acquired.length > 0) await recover();
      await release();
    },
    leaveAll: () => {
      if (served.length > 0) leave(served.length);
    },
    release,
  };
};
