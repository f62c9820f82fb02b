import { allShards } from '../../../webhooks/shards/shard.ts';
import { flag, integer, number, optional, type RowOf, table, text } from '../port/table.ts';

/** Workers with a lease. */
export const workers = table({
  name: 'workers',
  columns: { id: text(), expiresAt: number(), isStopping: flag() },
  key: ['id'],
  indexes: { expiry: { columns: ['expiresAt', 'id'] } },
  isKept: true,
});

/**
 * The number of the last settlement of each worker, before which none is missing: in a row of its own, so that no
 * heartbeat waits.
 */
export const lastSettlements = table({
  name: 'last_settlements',
  columns: { workerId: text(), number: integer() },
  key: ['workerId'],
  indexes: {},
});

/**
 * Shards. `owner`: a worker, whose row may have been deleted. `isRecovered`: by this owner. `prunedTimestamp`: the
 * largest timestamp of a pruned event.
 */
export const shards = table({
  name: 'shards',
  columns: {
    shard: integer(),
    owner: optional(text()),
    isRecovered: flag(),
    watermark: number(),
    prunedTimestamp: optional(integer()),
  },
  key: ['shard'],
  indexes: { all: { columns: ['shard'] } },
  seed: allShards.map((shard) => ({
    ...{ shard, owner: undefined, isRecovered: false, watermark: 0, prunedTimestamp: undefined },
  })),
});

/** The version of the last change of each shard's endpoints. Every change locks the row of its shard first. */
export const endpointVersions = table({
  name: 'endpoint_versions',
  columns: { shard: integer(), version: integer() },
  key: ['shard'],
  indexes: { all: { columns: ['shard'] } },
  seed: allShards.map((shard) => ({ shard, version: 0 })),
});

/**
 * One row, which every change of an endpoint locks last: so versions are committed in their order. `includeChildren`:
 * number of endpoints that receive events of child accounts.
 */
export const endpointChanges = table({
  name: 'endpoint_changes',
  columns: { id: integer(), version: integer(), includeChildren: integer() },
  key: ['id'],
  indexes: {},
  seed: [{ id: 0, version: 0, includeChildren: 0 }],
});

export type ShardRow = RowOf<typeof shards>;
export type WorkerRow = RowOf<typeof workers>;
