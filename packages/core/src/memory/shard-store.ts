import type { Clock } from '../runtime/clock.ts';
import type { DurationMs, EpochMs } from '../runtime/time.ts';
import type { AcquiredShard, ShardStore } from '../shards/shard-store.ts';
import type { Wakes } from '../shards/wakes.ts';
import type { ShardRow } from './rows.ts';
import type { Tables } from './tables.ts';

/** Ownership of shards in memory. @internal */
export const memoryShards = ({ shards, workers }: Tables, wakes: Wakes, clock: Clock): ShardStore => {
  const isFree = ({ owner }: ShardRow): boolean => owner === undefined || !workers.has(owner);
  /** A fenced worker owns nothing: its shards may be half processed and count as abandoned. */
  const owns = (workerId: string, shard: ShardRow | undefined): shard is ShardRow =>
    shard?.owner === workerId && workers.has(workerId);

  /** Returns whether workers were deleted. */
  const deleteExpired = (now: EpochMs, except: string): boolean => {
    let hasDeleted = false;
    for (const [workerId, { expiresAt }] of workers) {
      if (workerId === except || expiresAt > now) continue;
      workers.delete(workerId);
      hasDeleted = true;
    }
    return hasDeleted;
  };

  const nextExpiry = (now: EpochMs, except: string): { readonly nextExpiryIn?: DurationMs } => {
    let first = Number.POSITIVE_INFINITY;
    for (const [workerId, { expiresAt }] of workers) if (workerId !== except) first = Math.min(first, expiresAt);
    return first === Number.POSITIVE_INFINITY ? {} : { nextExpiryIn: first - now };
  };

  return {
    join: async (workerId, lease) => {
      const now = clock.now();
      deleteExpired(now, workerId);
      const row = workers.get(workerId);
      if (row) row.expiresAt = now + lease;
      else workers.set(workerId, { expiresAt: now + lease, isStopping: false, settled: 0 });
      wakes.wakeMembers();
    },
    heartbeat: async (workerId, lease, { isStopping, ...watermark }) => {
      const row = workers.get(workerId);
      if (!row) return 'fenced';
      const now = clock.now();
      row.expiresAt = now + lease;
      for (const number of watermark.shards) {
        const shard = shards[number];
        if (owns(workerId, shard)) shard.watermark = Math.max(shard.watermark, watermark.watermark);
      }
      const beginsToStop = isStopping && !row.isStopping;
      row.isStopping ||= isStopping;
      if (deleteExpired(now, workerId) || beginsToStop) wakes.wakeMembers();
      const others = [...workers.values()].filter((each) => each !== row && !each.isStopping);
      return { workers: 1 + others.length, freeShards: shards.filter(isFree).length, ...nextExpiry(now, workerId) };
    },
    acquire: async (workerId, limit) => {
      if (!workers.has(workerId)) return 'fenced';
      const acquired: AcquiredShard[] = [];
      for (const each of shards) {
        if (acquired.length >= limit) break;
        if (!isFree(each)) continue;
        const { shard, watermark, owner } = each;
        acquired.push({ shard, watermark, wasAbandoned: owner !== undefined });
        each.owner = workerId;
      }
      return acquired;
    },
    release: async (workerId, released) => {
      for (const number of released) {
        const shard = shards[number];
        if (owns(workerId, shard)) shard.owner = undefined;
      }
      wakes.wakeMembers();
    },
    leave: async (workerId) => {
      for (const shard of shards) if (owns(workerId, shard)) shard.owner = undefined;
      workers.delete(workerId);
      wakes.wakeMembers();
    },
    watch: wakes.watch,
  };
};
