import type { EpochMs } from '../../../base/runtime/time.ts';
import type { HealthSnapshot } from '../../../webhooks/log/health-snapshot.ts';
import type { WorkerRow } from '../tables/shards.ts';

/** Workers with their shards, from numbers of shards by their owners. Shards of an expired worker are free. */
export const membersOf = (
  members: readonly WorkerRow[],
  owners: readonly (readonly [owner: string | undefined, shards: number])[],
  now: EpochMs,
): Pick<HealthSnapshot, 'workers' | 'freeShards'> => {
  const alive = new Set(members.filter(({ expiresAt }) => expiresAt > now).map(({ id }) => id));
  const owned = new Map<string | undefined, number>();
  for (const [owner, count] of owners) {
    const known = owner !== undefined && alive.has(owner) ? owner : undefined;
    owned.set(known, (owned.get(known) ?? 0) + count);
  }
  return {
    workers: members
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, isStopping, expiresAt }) => ({
        ...{ id, shards: owned.get(id) ?? 0, isStopping, leaseLeft: Math.max(expiresAt - now, 0) },
      })),
    freeShards: owned.get(undefined) ?? 0,
  };
};
