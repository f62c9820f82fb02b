import type { EpochMs } from '../../runtime/time.ts';
import type { Wake } from '../../shards/shard-store.ts';
import { moveBy } from '../port/move.ts';
import { done } from '../port/plan.ts';
import type { Lock, Plan, RowTx, ScanOptions, Step } from '../port/row-store.ts';
import type { AnyRange } from '../port/sql.ts';
import type { Table } from '../port/table.ts';
import { type AnyRow, type IndexOrder, nameOfKey, type TableRows } from './table-rows.ts';

/** How a transaction sees and changes rows. @internal */
export interface RowAccess {
  find(table: Table): TableRows;
  get(of: TableRows, name: string): AnyRow | undefined;
  /** Replaces a row; `undefined` deletes it. */
  set(of: TableRows, name: string, row: AnyRow | undefined): void;
  /** The rows of a range, in the order of the index. */
  range(of: TableRows, index: string, range: AnyRange): readonly AnyRow[];
  /** Waits for the lock of a row, and holds it. */
  lock(of: TableRows, name: string, lock: Lock | 'delete'): Step<void>;
  /** Whether another transaction has locked the row. */
  isLocked(of: TableRows, name: string): boolean;
  now(): EpochMs;
  wake(wake: Wake): void;
}

type Keys = readonly (readonly unknown[])[];

/** The first row of each group of rows with the same values in the first columns of the index. */
const firsts = (order: IndexOrder, rows: readonly AnyRow[], columns: number): readonly AnyRow[] =>
  rows.filter((row, at) => {
    const before = rows[at - 1];
    const values = Array.from({ length: columns }, (_, column) => order.valueAt(row, column));
    return before === undefined || order.compareWith(before, values, 0) !== 0;
  });

const pick = (row: AnyRow, columns: readonly string[]): AnyRow =>
  Object.fromEntries(columns.map((name) => [name, row[name]]));

/** The operations on rows. @internal */
export const rowOperations = (access: RowAccess): RowTx => {
  const { find } = access;

  const scanRange = (of: TableRows, index: string, range: AnyRange, options: ScanOptions): readonly AnyRow[] => {
    const inOrder = access.range(of, index, range);
    const found = options.newestFirst ? inOrder.toReversed() : inOrder;
    const kept = options.distinct === undefined ? found : firsts(of.orderOf(index), found, options.distinct);
    return range.limit === undefined ? kept : kept.slice(0, range.limit);
  };

  const operations = {
    now: () => done(access.now()),
    get: function* (table: Table, keys: Keys, lock?: Lock): Plan<readonly (AnyRow | undefined)[]> {
      const of = find(table);
      const found: (AnyRow | undefined)[] = [];
      for (const key of keys) {
        const name = nameOfKey(key);
        const isSkipped = lock === 'free' && access.isLocked(of, name);
        if (lock && !isSkipped) yield* access.lock(of, name, lock);
        found.push(isSkipped ? undefined : access.get(of, name));
      }
      return found;
    },
    scan: (table: Table, index: string, ranges: readonly AnyRange[], options: ScanOptions = {}) => {
      const of = find(table);
      const found = ranges.flatMap((range) => scanRange(of, index, range, options)).slice(0, options.limit);
      const { columns } = options;
      return done(columns ? found.map((row) => pick(row, columns)) : found);
    },
    count: (table: Table, index: string, range: AnyRange) => done(scanRange(find(table), index, range, {}).length),
    insert: function* (table: Table, rows: readonly AnyRow[], onConflict: 'fail' | 'ignore') {
      const of = find(table);
      const added: boolean[] = [];
      for (const row of rows) {
        const name = of.nameOf(row);
        yield* access.lock(of, name, 'update');
        const isNew = access.get(of, name) === undefined;
        if (!isNew && onConflict === 'fail') throw new Error(`${table.name}: a row of this key exists.`);
        if (isNew) access.set(of, name, of.numbered(row));
        added.push(isNew);
      }
      return added;
    },
    put: function* (table: Table, rows: readonly AnyRow[]): Plan<void> {
      const of = find(table);
      for (const row of rows) {
        const name = of.nameOf(row);
        yield* access.lock(of, name, 'update');
        access.set(of, name, row);
      }
    },
    delete: function* (table: Table, keys: Keys): Plan<readonly boolean[]> {
      const of = find(table);
      const deleted: boolean[] = [];
      for (const key of keys) {
        const name = nameOfKey(key);
        yield* access.lock(of, name, 'delete');
        const isThere = access.get(of, name) !== undefined;
        if (isThere) access.set(of, name, undefined);
        deleted.push(isThere);
      }
      return deleted;
    },
    wake: (wake: Wake) => done(access.wake(wake)),
  };
  const own = operations as unknown as RowTx;
  return { ...own, move: moveBy(own) };
};
