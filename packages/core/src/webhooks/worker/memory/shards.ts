import { shardCount } from '../../shards/shard.ts';
import type { AcquiredShard, WorkerMembership, WorkerRecord } from '../../shards/shard-store.ts';

/** A call that changes which shards a worker owns, and has recovered. */
type Change = 'acquire' | 'recover' | 'release';

/** The shards that a worker owns, and how long its lease lasts. */
export interface Shards {
  /** The shards that are read and delivered. */
  served(): readonly number[];
  /** Records the membership, for `wanted`. */
  note(members: WorkerMembership): void;
  /**
   * How many shards the worker lacks of its share, by the membership noted since the last call; negative: how many it
   * has above it.
   */
  wanted(): number;
  /** Shards were acquired: they are served once they are recovered. */
  add(acquired: readonly AcquiredShard[]): void;
  /** Acquired shards that are not recovered yet. */
  acquired(): readonly AcquiredShard[];
  /** The acquired shards are recovered, and served from now on. */
  serve(): void;
  /** A call begins that changes shards; `add`, `serve` or `released` ends it, unless it fails. */
  change(call: Change): void;
  /**
   * The shards that the worker owns, as the store confirmed it: another object after each change. `undefined`: a call
   * changes them, or its outcome is uncertain.
   */
  confirmed(): Pick<WorkerRecord, 'shards' | 'acquired'> | undefined;
  /** Stops serving `count` shards and returns them: `released` frees each once nothing of it is in use. */
  leave(count: number): ReadonlySet<number>;
  /** Shards that were left, of which nothing is in flight or unstored. */
  releasable(): readonly number[];
  /** The shards were released. */
  released(shards: readonly number[]): void;
  /** A delivery of the shard is in flight or not stored. */
  use(shard: number): void;
  /** That delivery is stored. */
  unuse(shard: number): void;
  /** The lease was renewed by a call that was sent at this monotonic time. */
  renewed(sentAt: number): void;
  /** The rest of the lease, in milliseconds; not positive after a pause, until it is renewed. */
  leaseLeft(): number;
}

/** What {@link createShards} takes. */
export interface ShardsDeps {
  /** Whether the share is all free shards. */
  readonly takesAll: boolean;
  /** Duration of the lease, in milliseconds. */
  readonly lease: number;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

const ascending = (numbers: readonly number[]): readonly number[] => numbers.toSorted((a, b) => a - b);

/** Creates the memory of shards. */
export const createShards = ({ takesAll, lease, now }: ShardsDeps): Shards => {
  let members: WorkerMembership | undefined;
  let served: readonly number[] = [];
  let acquired: readonly AcquiredShard[] = [];
  const leaving = new Set<number>();
  /** Calls that are under way or failed: they may have changed the shards, and may change them later. */
  const uncertain = new Set<Change>();
  let confirmed: ReturnType<Shards['confirmed']> = { shards: [], acquired: [] };
  /** Deliveries of each shard that are in flight or not stored. */
  const inUse: number[] = new Array(shardCount).fill(0);
  let leaseEnd = Number.NEGATIVE_INFINITY;

  const count = (shard: number, by: number): void => {
    inUse[shard] = (inUse[shard] ?? 0) + by;
  };

  const confirm = (call: Change): void => {
    uncertain.delete(call);
    confirmed =
      uncertain.size > 0
        ? undefined
        : { shards: ascending([...served, ...leaving]), acquired: ascending(acquired.map(({ shard }) => shard)) };
  };

  return {
    served: () => served,
    note: (current) => {
      members = current;
    },
    wanted: () => {
      if (!members) return 0;
      const { workers, freeShards } = members;
      members = undefined;
      const share = takesAll ? shardCount : Math.ceil(shardCount / workers);
      const owned = served.length + acquired.length;
      // It might acquire a shard that it releases again below.
      const mayAcquire = freeShards > 0 && !uncertain.has('release');
      if (mayAcquire && owned + leaving.size < share) return share - owned - leaving.size;
      return Math.min(share - served.length, 0);
    },
    add: (got) => {
      acquired = [...acquired, ...got];
      confirm('acquire');
    },
    acquired: () => acquired,
    serve: () => {
      served = [...served, ...acquired.map(({ shard }) => shard)];
      acquired = [];
      confirm('recover');
    },
    change: (call) => {
      uncertain.add(call);
      confirmed = undefined;
    },
    confirmed: () => confirmed,
    leave: (amount) => {
      const going = new Set(amount > 0 ? served.slice(-amount) : []);
      served = served.filter((shard) => !going.has(shard));
      for (const shard of going) leaving.add(shard);
      return going;
    },
    releasable: () => [...leaving].filter((shard) => (inUse[shard] ?? 0) === 0),
    released: (shards) => {
      for (const shard of shards) leaving.delete(shard);
      confirm('release');
    },
    use: (shard) => count(shard, 1),
    unuse: (shard) => count(shard, -1),
    renewed: (sentAt) => {
      leaseEnd = sentAt + lease;
    },
    leaseLeft: () => leaseEnd - now(),
  };
};
