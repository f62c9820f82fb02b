import type { DeliveryStore } from '../delivery-ports/delivery-store.ts';
import { shardCount } from '../delivery-ports/shard.ts';
import type { AcquiredShard, Membership, ShardStore } from '../delivery-ports/shard-store.ts';
import { callPort } from '../runtime/call-port.ts';
import type { WorkerErrors } from './worker-errors.ts';

/** What {@link createOwnership} calls. @internal */
export interface OwnershipDeps {
  readonly shards: Pick<ShardStore, 'acquire' | 'release'>;
  readonly deliveries: Pick<DeliveryStore, 'recover'>;
  readonly workerId: string;
  readonly errors: WorkerErrors;
  /** Whether its share is all free shards. */
  readonly takesAll: boolean;
  /** Whether deliveries of a shard are in flight or not stored. */
  readonly isInUse: (shard: number) => boolean;
  /** Shards are served from now on. */
  readonly onServed: (shards: readonly AcquiredShard[]) => void;
  /** Shards are no longer read: their deliveries waiting in memory are dropped. */
  readonly onLeaving: (shards: ReadonlySet<number>) => void;
  /** The worker's row was deleted. */
  readonly onFenced: () => void;
  /** It is unknown whether shards were acquired: the worker must join anew. */
  readonly onUncertain: () => void;
}

/** The shards that a worker owns. @internal */
export interface Ownership {
  /** The shards that are read and delivered. */
  served(): readonly number[];
  /** Records the membership, for `balance`. */
  note(members: Membership): void;
  /**
   * Acquires free shards up to the worker's share, or leaves those above it. Called only between two reads, never while
   * rows are processed.
   */
  balance(): Promise<void>;
  /** Stops reading all shards; `release` frees each once nothing of it is in flight. */
  leaveAll(): void;
  /** Frees shards that were left, once nothing of them is in flight or unstored. */
  release(): Promise<void>;
}

/** Creates the ownership of a session. @internal */
export const createOwnership = (deps: OwnershipDeps): Ownership => {
  const { shards, deliveries, workerId, errors, takesAll, isInUse, onServed, onLeaving, onFenced, onUncertain } = deps;
  let members: Membership | undefined;
  let served: readonly number[] = [];
  /** Acquired, not yet recovered. */
  let acquired: readonly AcquiredShard[] = [];
  const leaving = new Set<number>();
  /** The last release failed: it may have freed the shards, and may free them later. */
  let isReleaseUncertain = false;

  const acquire = async (limit: number): Promise<void> => {
    const got = await errors.orElse(
      'acquire',
      callPort(() => shards.acquire(workerId, limit)),
      undefined,
    );
    if (got === undefined) onUncertain();
    else if (got === 'fenced') onFenced();
    else acquired = [...acquired, ...got];
  };

  const recover = async (): Promise<void> => {
    const recovered = await errors.orElse(
      'acquire',
      callPort(() => deliveries.recover(workerId, acquired)),
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
      callPort(async () => {
        await shards.release(workerId, free);
        return true;
      }),
      false,
    );
    isReleaseUncertain = !isReleased;
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
    note: (current) => {
      members = current;
    },
    balance: async () => {
      if (members) {
        const share = takesAll ? shardCount : Math.ceil(shardCount / members.workers);
        const owned = served.length + acquired.length;
        const { freeShards } = members;
        members = undefined;
        // It might acquire a shard that it releases again below.
        const mayAcquire = freeShards > 0 && !isReleaseUncertain;
        if (mayAcquire && owned + leaving.size < share) await acquire(share - owned - leaving.size);
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
