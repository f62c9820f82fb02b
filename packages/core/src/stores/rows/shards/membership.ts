import type { Plan, RowTx } from '../port/row-store.ts';
import { type ShardRow, shards, workers } from '../tables/shards.ts';

/** Whether a worker has a row; the row then stays until the transaction ends. No heartbeat waits. */
export function* isMember(rows: RowTx, workerId: string): Plan<boolean> {
  const [row] = yield* rows.get(workers, [[workerId]], 'keep');
  return row !== undefined;
}

/** Those of the shards that the worker owns, locked. */
export function* lockOwned(rows: RowTx, workerId: string, numbers: readonly number[]): Plan<readonly ShardRow[]> {
  const keys = numbers.toSorted((a, b) => a - b).map((shard) => [shard] as const);
  const found = yield* rows.get(shards, keys, 'update');
  return found.filter((row): row is ShardRow => row?.owner === workerId);
}

/** Those of the shards that a member owns. No other worker acquires them before the transaction ends. */
export function* ownShards(rows: RowTx, workerId: string, numbers: readonly number[]): Plan<ReadonlySet<number>> {
  const keys = [...new Set(numbers)].map((shard) => [shard] as const);
  const found = yield* rows.get(shards, keys);
  return new Set(found.flatMap((row) => (row?.owner === workerId ? [row.shard] : [])));
}
