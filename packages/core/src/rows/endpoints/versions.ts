import type { StoreState } from '../../deliveries/delivery-store.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { Lock, Plan, RowTx } from '../port/row-store.ts';
import { endpointVersions } from '../tables/shards.ts';

/** The state of the store. @internal */
export function* readState(rows: RowTx): Plan<StoreState> {
  const now = yield* rows.now();
  const all = yield* rows.scan(endpointVersions, 'all', [{ prefix: [] }]);
  return {
    now,
    endpointVersions: all.map(({ version }) => version).join(),
    hasIncludeChildren: all.some(({ includeChildren }) => includeChildren > 0),
  };
}

/** The versions of shards, locked. @internal */
export function* lockVersions(
  rows: RowTx,
  shards: Iterable<number>,
  lock: Lock & ('share' | 'update'),
): Plan<ReadonlyMap<number, number>> {
  const numbers = [...new Set(shards)].sort((a, b) => a - b);
  const found = yield* rows.get(
    endpointVersions,
    numbers.map((shard) => [shard]),
    lock,
  );
  return new Map(found.filter((row) => row !== undefined).map(({ shard, version }) => [shard, version]));
}

/** Whether an endpoint receives events of child accounts: 0 or 1. @internal */
export const includesChildren = ({ includeChildren, state }: Endpoint): 0 | 1 =>
  includeChildren && state !== 'disabled' ? 1 : 0;

/** Increments the version of a shard, and returns it. The caller has locked it. @internal */
export function* raiseVersion(rows: RowTx, shard: number, including = 0): Plan<number> {
  const [row] = yield* rows.get(endpointVersions, [[shard]], 'update');
  if (!row) throw new Error('endpoint_versions: the rows of the shards are missing.');
  const version = row.version + 1;
  yield* rows.put(endpointVersions, [{ shard, version, includeChildren: row.includeChildren + including }]);
  return version;
}
