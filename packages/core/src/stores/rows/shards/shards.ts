import type { EpochMs } from '../../../base/runtime/time.ts';
import type {
  AcquiredShard,
  HeartbeatInput,
  ShardStore,
  WorkerMembership,
} from '../../../webhooks/shards/shard-store.ts';
import { lastChange } from '../endpoints/versions.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { lastSettlements, type ShardRow, shards, workers } from '../tables/shards.ts';
import { isMember, lockOwned } from './membership.ts';

const isRow = <R>(row: R | undefined): row is R => row !== undefined;
const allRows = [{ prefix: [] }] as const;

/** Returns whether workers were deleted. Waits for none: a row that is locked is being renewed or deleted. */
function* deleteExpired(rows: RowTx, now: EpochMs, except: string): Plan<boolean> {
  const expired = yield* rows.scan(workers, 'expiry', [{ prefix: [], to: [now] }], { columns: ['id'] });
  const ids = expired.map(({ id }) => id).filter((id) => id !== except);
  if (ids.length === 0) return false;
  const locked = yield* rows.get(
    workers,
    ids.toSorted().map((id) => [id]),
    'free',
  );
  const gone = locked.filter(isRow).filter(({ expiresAt }) => expiresAt <= now);
  yield* rows.delete(
    workers,
    gone.map(({ id }) => [id]),
  );
  yield* rows.delete(
    lastSettlements,
    gone.map(({ id }) => [id]),
  );
  return gone.length > 0;
}

/** All shards, and those without an owner, or with one that was deleted. */
function* readShards(rows: RowTx): Plan<{ readonly all: readonly ShardRow[]; readonly free: readonly ShardRow[] }> {
  const all = yield* rows.scan(shards, 'all', allRows);
  const members = new Set((yield* rows.scan(workers, 'expiry', allRows)).map(({ id }) => id));
  return { all, free: all.filter(({ owner }) => owner === undefined || !members.has(owner)) };
}

/** Raises the watermark of shards. */
function* raise(rows: RowTx, workerId: string, numbers: readonly number[], watermark: EpochMs): Plan<void> {
  const owned = yield* lockOwned(rows, workerId, numbers);
  yield* rows.put(
    shards,
    owned.filter((row) => row.isRecovered && row.watermark < watermark).map((row) => ({ ...row, watermark })),
  );
}

function* heartbeat(
  rows: RowTx,
  workerId: string,
  lease: number,
  { isStopping, shards: settled, watermark, settlement }: HeartbeatInput,
): Plan<WorkerMembership | 'fenced'> {
  const [own] = yield* rows.get(workers, [[workerId]], 'update');
  if (!own) return 'fenced';
  const now = yield* rows.now();
  yield* rows.put(workers, [{ ...own, expiresAt: now + lease, isStopping: isStopping || own.isStopping }]);
  // Before the shards are locked: workers come first.
  const hasDeleted = yield* deleteExpired(rows, now, workerId);
  const [last] = yield* rows.get(lastSettlements, [[workerId]]);
  const stored = last?.number ?? 0;
  if (stored >= settlement) yield* raise(rows, workerId, settled, watermark);
  if (hasDeleted || (isStopping && !own.isStopping)) yield* rows.wake({ kind: 'members' });
  const others = (yield* rows.scan(workers, 'expiry', allRows)).filter(({ id }) => id !== workerId);
  const [first] = others;
  const { all, free } = yield* readShards(rows);
  const owned = all.filter(({ owner }) => owner === workerId);
  return {
    workers: 1 + others.filter((each) => !each.isStopping).length,
    freeShards: free.length,
    ...(first ? { nextExpiryIn: first.expiresAt - now } : {}),
    stored: {
      shards: owned.filter(({ isRecovered }) => isRecovered).map(({ shard }) => shard),
      acquired: owned.filter(({ isRecovered }) => !isRecovered).map(({ shard }) => shard),
      settlement: stored,
      endpointVersion: (yield* lastChange(rows)).version,
    },
  };
}

function* acquire(rows: RowTx, workerId: string, limit: number): Plan<readonly AcquiredShard[] | 'fenced'> {
  if (!(yield* isMember(rows, workerId))) return 'fenced';
  const wanted = (yield* readShards(rows)).free.slice(0, limit);
  const locked = yield* rows.get(
    shards,
    wanted.map(({ shard }) => [shard]),
    'free',
  );
  // Another worker may have acquired it between the two reads.
  const acquired = locked.filter((row, index) => row?.owner === wanted[index]?.owner).filter(isRow);
  yield* rows.put(
    shards,
    acquired.map((row) => ({ ...row, owner: workerId, isRecovered: false })),
  );
  return acquired.map(({ shard, watermark, owner }) => ({ shard, watermark, wasAbandoned: owner !== undefined }));
}

function* release(rows: RowTx, workerId: string, numbers: readonly number[]): Plan<void> {
  const freed = yield* lockOwned(rows, workerId, numbers);
  yield* rows.put(
    shards,
    freed.map((row) => ({ ...row, owner: undefined })),
  );
}

/** Ownership of shards over rows. */
export const rowShards = (store: Pick<RowStore<object>, 'run' | 'watch'>): ShardStore => ({
  join: (workerId, lease) =>
    store.run('write', function* (rows) {
      const now = yield* rows.now();
      const [own] = yield* rows.get(workers, [[workerId]], 'update');
      yield* rows.put(workers, [{ id: workerId, expiresAt: now + lease, isStopping: own?.isStopping ?? false }]);
      yield* deleteExpired(rows, now, workerId);
      yield* rows.wake({ kind: 'members' });
    }),
  heartbeat: (workerId, lease, beat) => store.run('write', (rows) => heartbeat(rows, workerId, lease, beat)),
  acquire: (workerId, limit) => store.run('write', (rows) => acquire(rows, workerId, limit)),
  release: (workerId, numbers) =>
    store.run('write', function* (rows) {
      // A worker without a row owns nothing: its shards may be half processed, and count as abandoned.
      if (yield* isMember(rows, workerId)) yield* release(rows, workerId, numbers);
      yield* rows.wake({ kind: 'members' });
    }),
  leave: (workerId) =>
    store.run('write', function* (rows) {
      const [own] = yield* rows.get(workers, [[workerId]], 'update');
      if (own) {
        const all = yield* rows.scan(shards, 'all', allRows);
        const mine = all.filter(({ owner }) => owner === workerId).map(({ shard }) => shard);
        yield* release(rows, workerId, mine);
        yield* rows.delete(workers, [[workerId]]);
        yield* rows.delete(lastSettlements, [[workerId]]);
      }
      yield* rows.wake({ kind: 'members' });
    }),
  hasWorkers: () =>
    store.run('read', function* (rows) {
      const now = yield* rows.now();
      const alive = yield* rows.scan(workers, 'expiry', [{ prefix: [], after: [now] }], { limit: 1, columns: ['id'] });
      return alive.length > 0;
    }),
  watch: store.watch,
});
