import type { EpochMs } from '../../../base/runtime/time.ts';
import type { StoreWake } from '../../../webhooks/shards/wakes.ts';
import { done, later } from '../port/plan.ts';
import type { Lock, Plan, RowTx, ScanOptions, Step } from '../port/row-store.ts';
import type { AnyRange } from '../port/sql.ts';
import type { Table } from '../port/table.ts';
import type { RowIndex } from './row-index.ts';
import type { RowKey } from './row-key.ts';
import type { Holder } from './row-locks.ts';
import type { AnyRow } from './row-order.ts';
import type { TableRows } from './table-rows.ts';

/** How a transaction sees and changes rows. */
export interface RowAccess {
  find(table: Table): TableRows;
  get(of: TableRows, key: RowKey): AnyRow | undefined;
  /** Adds a row, unless its key has one. Returns whether it did. */
  add(of: TableRows, key: RowKey, row: AnyRow): boolean;
  /** Adds a row, or replaces the one of its key. */
  put(of: TableRows, key: RowKey, row: AnyRow): void;
  /** Removes the row of a key, and returns it, if there is one. */
  delete(of: TableRows, key: RowKey): AnyRow | undefined;
  /** Whether it certainly has no rows. */
  isEmpty(of: TableRows): boolean;
  /** Calls `visit` with the rows of a range, in order or from its end, until it returns `false`. */
  visit(of: TableRows, index: RowIndex, part: IndexPart, visit: (row: AnyRow) => boolean): void;
  /** Locks rows. Returns the transaction that has to end first, if there is one. */
  lock(of: TableRows, keys: readonly RowKey[], lock: Lock | 'delete'): Holder | undefined;
  /** Whether another transaction has locked the row. */
  isLocked(of: TableRows, key: RowKey): boolean;
  /** Waits for the end of another transaction. */
  wait(holder: Holder): PromiseLike<void>;
  now(): EpochMs;
  wake(wake: StoreWake): void;
}

/** A range of an index, in an order. */
interface IndexPart {
  readonly range: AnyRange;
  readonly newestFirst: boolean;
}

type Keys = readonly RowKey[];

const unlimited = Number.POSITIVE_INFINITY;
const none: readonly never[] = [];

/** The operations on rows. */
export const rowOperations = (access: RowAccess): RowTx => {
  const { find } = access;

  /** Does the work of an operation once its rows are locked: at once, unless another transaction holds one. */
  const locked = <T>(of: TableRows, keys: Keys, lock: Lock | 'delete', work: () => T): Step<T> => {
    const holder = access.lock(of, keys, lock);
    return holder ? waitAndLock(holder, () => access.lock(of, keys, lock), work) : done(work());
  };
  const waitAndLock = function* <T>(first: Holder, lockAgain: () => Holder | undefined, work: () => T): Plan<T> {
    for (let holder: Holder | undefined = first; holder; holder = lockAgain()) yield* later(access.wait(holder));
    return work();
  };

  /** Reads ranges in turn. */
  const readRanges = (
    of: TableRows,
    index: RowIndex,
    ranges: readonly AnyRange[],
    { limit = unlimited, newestFirst = false, distinct }: ScanOptions,
  ): readonly AnyRow[] => {
    const found: AnyRow[] = [];
    if (access.isEmpty(of)) return found;
    let most = limit;
    let last: AnyRow | undefined;
    const collect = (row: AnyRow): boolean => found.push(row) < most;
    const collectFirst = (row: AnyRow): boolean => {
      if (last && index.agree(last, row, distinct as number)) return true;
      last = row;
      return found.push(row) < most;
    };
    const visit = distinct === undefined ? collect : collectFirst;
    for (const range of ranges) {
      const { limit: own } = range;
      most = own === undefined ? limit : Math.min(limit, found.length + own);
      if (found.length >= most) continue;
      if (index.isKey(range)) {
        const row = access.get(of, range.prefix);
        if (row) found.push(row);
        continue;
      }
      last = undefined;
      access.visit(of, index, { range, newestFirst }, visit);
    }
    return found;
  };

  const operations = {
    now: () => done(access.now()),
    get: (table: Table, keys: Keys, lock?: Lock) => {
      if (keys.length === 0) return done(none);
      const of = find(table);
      const read = () => keys.map((key) => access.get(of, key));
      if (lock === undefined) return done(read());
      if (lock !== 'free') return locked(of, keys, lock, read);
      const free = keys.filter((key) => !access.isLocked(of, key));
      if (free.length === keys.length) return locked(of, keys, lock, read);
      return locked(of, free, lock, () => keys.map((key) => (free.includes(key) ? access.get(of, key) : undefined)));
    },
    scan: (table: Table, name: string, ranges: readonly AnyRange[], options: ScanOptions = {}) => {
      const of = find(table);
      return done(readRanges(of, of.index(name), ranges, options));
    },
    count: (table: Table, name: string, ranges: readonly AnyRange[]) => {
      const of = find(table);
      const index = of.index(name);
      const countOne = (range: AnyRange): number => {
        const { limit = unlimited } = range;
        let count = 0;
        if (limit > 0) access.visit(of, index, { range, newestFirst: false }, () => ++count < limit);
        return count;
      };
      return done(ranges.map(countOne));
    },
    insert: (table: Table, rows: readonly AnyRow[], onConflict: 'fail' | 'ignore') => {
      if (rows.length === 0) return done(none);
      const of = find(table);
      const numbered = rows.map(of.numbered);
      const keys = numbered.map(of.keyOf);
      return locked(of, keys, 'update', () =>
        numbered.map((row, at) => {
          const isNew = access.add(of, keys[at] as RowKey, row);
          if (!isNew && onConflict === 'fail') throw new Error(`${table.name}: a row of this key exists.`);
          return isNew;
        }),
      );
    },
    put: (table: Table, rows: readonly AnyRow[]) => {
      if (rows.length === 0) return done(undefined);
      const of = find(table);
      const keys = rows.map(of.keyOf);
      return locked(of, keys, 'update', () => {
        for (let at = 0; at < keys.length; at++) access.put(of, keys[at] as RowKey, rows[at] as AnyRow);
      });
    },
    delete: (table: Table, keys: Keys) => {
      if (keys.length === 0) return done(none);
      const of = find(table);
      return locked(of, keys, 'delete', () => keys.map((key) => access.delete(of, key) !== undefined));
    },
    wake: (wake: StoreWake) => done(access.wake(wake)),
  };
  return operations as RowTx;
};
