import type { Clock } from '../../../base/runtime/clock.ts';
import { createPortLimit, limitWatch, type PortLimit } from '../../../base/runtime/port-limit.ts';
import type { DurationMs } from '../../../base/runtime/time.ts';
import type { ShardStore } from '../../shards/shard-store.ts';
import type { WorkerStores } from './worker-stores.ts';

/** The stores of a worker, with a time limit for each call. */
export interface LimitedStores {
  /** While it serves. */
  readonly serving: WorkerStores;
  /** While it stops: it waits less. */
  readonly stopping: WorkerStores;
}

/**
 * Limits the time of calls: a connection that stays open and silent is an error, not a wait. A call is given up before
 * the lease ends; one that renews the lease so early that it can be tried again. A write that is given up may take
 * effect later, as long as the row of its worker exists.
 */
export const limitStores = (stores: WorkerStores, clock: Clock, lease: DurationMs): LimitedStores => {
  const { shards, deliveries, parents, audit, log } = stores;
  const short = createPortLimit(clock, lease / 4);
  const membership = {
    ...short.of<Pick<ShardStore, 'join' | 'heartbeat' | 'leave'>>('storage.shards', shards, {
      join: 'write',
      heartbeat: 'read',
      leave: 'read',
    }),
    watch: limitWatch(short, 'storage.shards.watch', (onWake: Parameters<ShardStore['watch']>[0]) =>
      shards.watch(onWake),
    ),
  };
  const limitedBy = ({ of }: PortLimit): WorkerStores => ({
    shards: {
      ...membership,
      ...of<Pick<ShardStore, 'acquire' | 'release'>>('storage.shards', shards, { acquire: 'write', release: 'write' }),
    },
    deliveries: of('storage.deliveries', deliveries, {
      readOutbox: 'read',
      dispatch: 'write',
      dispatchAnnounced: 'write',
      settle: 'write',
      readDue: 'read',
      readQueued: 'read',
      recover: 'write',
      readEndpoints: 'read',
      readQueuedAccounts: 'read',
    }),
    // Their writes take effect once, at whatever time: nothing of the session depends on them.
    parents: of('storage.parents', parents, { readPropagated: 'read', propagate: 'read' }),
    audit: of<WorkerStores['audit']>('storage.audit', audit, {
      tell: 'read',
      readChains: 'read',
      readUnlinkedShards: 'read',
      readUnlinked: 'read',
      link: 'read',
      pruneEntries: 'read',
    }),
    log: of<WorkerStores['log']>('storage.log', log, {
      prune: 'read',
      readFailing: 'read',
      readFailedHours: 'read',
      deleteFailedHours: 'read',
    }),
  });
  return { serving: limitedBy(createPortLimit(clock, (3 * lease) / 4)), stopping: limitedBy(short) };
};
