/**
 * Storage over rows: every call of `Storage` written once, for stores that implement the operations on rows.
 * @module core/rows
 */
export { type MemoryTransaction, memoryRows } from './rows/memory/memory-rows.ts';
export { groupRanges } from './rows/port/group-ranges.ts';
export { moveBy } from './rows/port/move.ts';
export { done, later, perform, performNow, stepsOf } from './rows/port/plan.ts';
export type { Lock, Plan, RowStore, RowTx, ScanOptions, Step } from './rows/port/row-store.ts';
export { type AnyRange, type Condition, conditionOf, type Dialect, ddlOf, orderOf, quoted } from './rows/port/sql.ts';
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
} from './rows/port/table.ts';
export { rowInbox, type StoredInbox } from './rows/receiver/inbox.ts';
export { rowSeenKeys, type StoredSeenKeys } from './rows/receiver/seen-keys.ts';
export { rowStorage, type StorageOverrides } from './rows/storage.ts';
export { rowTables } from './rows/tables/index.ts';
export { systemClock } from './runtime/system.ts';
export { type Yielding, yieldingOf } from './runtime/yielding.ts';
export { createWakes, type Wakes } from './shards/wakes.ts';
