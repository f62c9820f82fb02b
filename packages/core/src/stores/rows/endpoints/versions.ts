import type { StoreState } from '../../../webhooks/deliveries/delivery-store.ts';
import type { Endpoint } from '../../../webhooks/endpoints/endpoint.ts';
import type { Lock, Plan, RowTx } from '../port/row-store.ts';
import type { RowOf } from '../port/table.ts';
import { handlers } from '../tables/handlers.ts';
import { endpointChanges, endpointVersions } from '../tables/shards.ts';

/** The last change of endpoints. */
export function* lastChange(rows: RowTx, lock?: Lock): Plan<RowOf<typeof endpointChanges>> {
  const [row] = yield* rows.get(endpointChanges, [[0]], lock);
  if (!row) throw new Error('endpoint_changes: its row is missing.');
  return row;
}

/** The state of the store. */
export function* readState(rows: RowTx, knownVersion: number): Plan<StoreState> {
  const now = yield* rows.now();
  const { version, includeChildren } = yield* lastChange(rows);
  const state = { now, endpointVersion: version, changedShards: [], hasIncludeChildren: includeChildren > 0 };
  if (version <= knownVersion) return state;
  const all = yield* rows.scan(endpointVersions, 'all', [{ prefix: [] }]);
  const registered = yield* rows.scan(handlers, 'all', [{ prefix: [] }], { columns: ['name', 'events'] });
  return {
    ...state,
    changedShards: all.filter((each) => each.version > knownVersion).map(({ shard }) => shard),
    handlers: registered.map(({ name, events }) => ({ name, events })),
  };
}

/** The versions of shards, locked. */
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

/** Whether an endpoint receives events of child accounts: 0 or 1. */
export const includesChildren = ({ includeChildren, state }: Endpoint): 0 | 1 =>
  includeChildren && state !== 'disabled' ? 1 : 0;

/** Raises the version of a shard, and returns it. The caller has locked it, and locks nothing after. */
export function* raiseVersion(rows: RowTx, shard: number, including = 0): Plan<number> {
  return yield* raiseVersions(rows, [shard], including);
}

/** Raises the versions of shards, in ascending order, to one. The caller has locked them, and locks nothing after. */
export function* raiseVersions(rows: RowTx, shards: readonly number[], including = 0): Plan<number> {
  const last = yield* lastChange(rows, 'update');
  const version = last.version + 1;
  yield* rows.put(
    endpointVersions,
    shards.map((shard) => ({ shard, version })),
  );
  yield* rows.put(endpointChanges, [{ ...last, version, includeChildren: last.includeChildren + including }]);
  return version;
}
