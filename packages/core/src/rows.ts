/**
 * Storage over rows: every call of `Storage` written once, for stores that implement the operations on rows.
 * @module core/rows
 */

export { systemClock } from './base/runtime/system.ts';
export { type Yielding, yieldingOf } from './base/runtime/yielding.ts';
export { type MemoryTransaction, memoryRows } from './stores/rows/memory/memory-rows.ts';
export { groupRanges } from './stores/rows/port/group-ranges.ts';
export { done, later, perform, performNow, stepsOf } from './stores/rows/port/plan.ts';
export type { Lock, Plan, RowStore, RowTx, RunMode, ScanOptions, Step } from './stores/rows/port/row-store.ts';
export {
  type AnyRange,
  type Condition,
  conditionOf,
  type Dialect,
  ddlOf,
  orderOf,
  quoted,
} from './stores/rows/port/sql.ts';
export {
  type Column,
  column,
  type IndexOf,
  type KeyOf,
  type NewRowOf,
  type RangeOf,
  type RowOf,
  type Table,
  type TableIndex,
  table,
} from './stores/rows/port/table.ts';
export { rowInbox, type StoredInbox } from './stores/rows/receiver/inbox.ts';
export { rowSeenKeys, type StoredSeenKeys } from './stores/rows/receiver/seen-keys.ts';
export { rowStorage, type StorageOverrides } from './stores/rows/storage.ts';
export { rowTables } from './stores/rows/tables/index.ts';
export { createWakes, type Wakes } from './webhooks/shards/wakes.ts';
