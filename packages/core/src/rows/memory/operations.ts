import type { EpochMs } from '../../runtime/time.ts';
import type { Wake } from '../../shards/shard-store.ts';
import { movedRows } from '../port/move.ts';
import { done, later } from '../port/plan.ts';
import type { Lock, Plan, RowTx, ScanOptions, Step } from '../port/row-store.ts';
import type { AnyRange } from '../port/sql.ts';
import type { Table } from '../port/table.ts';
import type { Holder } from './row-locks.ts';
import type { AnyRow } from './row-order.ts';
import { type KeyName, nameOfKey, type TableRows } from './table-rows.ts';

/** How a transaction sees and changes rows. @internal */
export interface RowAccess {
  find(table: Table): TableRows;
  get(of: TableRows, name: KeyName): AnyRow | undefined;
  /** Replaces a row; `undefined`: none. */
  set(of: TableRows, name: KeyName, before: AnyRow | undefined, row: AnyRow | undefined): void;
  /** Calls `visit` with the rows of a range, in order or from its end, until it returns `false`. */
  visit(of: TableRows, index: string, range: AnyRange, newestFirst: boolean, visit: (row: AnyRow) => boolean): void;
  /** Locks rows. Returns the transaction that has to end first, if there is one. */
  lock(of: TableRows, names: readonly KeyName[], lock: Lock | 'delete'): Holder | undefined;
  /** Whether another transaction has locked the row. */
  isLocked(of: TableRows, name: KeyName): boolean;
  /** Waits for the end of another transaction. */
  wait(holder: Holder): PromiseLike<void>;
  now(): EpochMs;
  wake(wake: Wake): void;
}

type Keys = readonly (readonly unknown[])[];

const unlimited = Number.POSITIVE_INFINITY;

/** The operations on rows. @internal */
export const rowOperations = (access: RowAccess): RowTx => {
  const { find } = access;

  /** Does the work of an operation once its rows are locked: at once, unless another transaction holds one. */
  const locked = <T>(of: TableRows, names: readonly KeyName[], lock: Lock | 'delete', work: () => T): Step<T> => {
    const holder = access.lock(of, names, lock);
    return holder ? waitAndLock(holder, of, names, lock, work) : done(work());
  };
  const waitAndLock = function* <T>(
    first: Holder,
    of: TableRows,
    names: readonly KeyName[],
    lock: Lock | 'delete',
    work: () => T,
  ): Plan<T> {
    for (let holder: Holder | undefined = first; holder; holder = access.lock(of, names, lock))
      yield* later(access.wait(holder));
    return work();
  };

  /** Reads a range, until there are `limit` rows in all. */
  const scanRange = (
    of: TableRows,
    index: string,
    range: AnyRange,
    { limit = unlimited, newestFirst = false, distinct }: ScanOptions,
    found: AnyRow[],
  ): void => {
    const most = Math.min(limit, found.length + (range.limit ?? unlimited));
    if (found.length >= most) return;
    const name = of.nameIn(index, range);
    if (name !== undefined) {
      const row = access.get(of, name);
      if (row) found.push(row);
      return;
    }
    let last: AnyRow | undefined;
    access.visit(of, index, range, newestFirst, (row) => {
      if (distinct !== undefined && last && of.index(index).agree(last, row, distinct)) return true;
      last = row;
      return found.push(row) < most;
    });
  };

  const operations = {
    now: () => done(access.now()),
    get: (table: Table, keys: Keys, lock?: Lock) => {
      const of = find(table);
      if (lock === undefined) return done(keys.map((key) => access.get(of, nameOfKey(key))));
      const names = keys.map(nameOfKey);
      if (lock !== 'free') return locked(of, names, lock, () => names.map((name) => access.get(of, name)));
      const free = names.filter((name) => !access.isLocked(of, name));
      return locked(of, free, 'free', () =>
        names.map((name) => (free.includes(name) ? access.get(of, name) : undefined)),
      );
    },
    scan: (table: Table, index: string, ranges: readonly AnyRange[], options: ScanOptions = {}) => {
      const of = find(table);
      const found: AnyRow[] = [];
      for (const range of ranges) scanRange(of, index, range, options, found);
      return done(found);
    },
    count: (table: Table, index: string, range: AnyRange) => {
      const { limit = unlimited } = range;
      let count = 0;
      if (limit > 0) access.visit(find(table), index, range, false, () => ++count < limit);
      return done(count);
    },
    insert: (table: Table, rows: readonly AnyRow[], onConflict: 'fail' | 'ignore') => {
      const of = find(table);
      const names = rows.map(of.nameOf);
      return locked(of, names, 'update', () =>
        rows.map((row, at) => {
          const isNew = access.get(of, names[at]) === undefined;
          if (!isNew && onConflict === 'fail') throw new Error(`${table.name}: a row of this key exists.`);
          if (isNew) access.set(of, names[at], undefined, of.numbered(row));
          return isNew;
        }),
      );
    },
    put: (table: Table, rows: readonly AnyRow[]) => {
      const of = find(table);
      const names = rows.map(of.nameOf);
      return locked(of, names, 'update', () => {
        for (const [at, row] of rows.entries()) access.set(of, names[at], access.get(of, names[at]), row);
      });
    },
    delete: (table: Table, keys: Keys) => {
      const of = find(table);
      const names = keys.map(nameOfKey);
      return locked(of, names, 'delete', () =>
        names.map((name) => {
          const row = access.get(of, name);
          if (row) access.set(of, name, row, undefined);
          return row !== undefined;
        }),
      );
    },
    move: function* (from: Table, to: Table, moved: readonly AnyRow[]): Plan<readonly boolean[]> {
      const [of, target] = [find(from), find(to)];
      const names = moved.map(of.nameOf);
      const newNames = moved.map(target.nameOf);
      yield* locked(of, names, 'delete', () => undefined);
      return yield* locked(target, newNames, 'update', () => {
        const make = movedRows(from, to);
        return moved.map((given, at) => {
          const row = access.get(of, names[at]);
          if (!row) return false;
          if (access.get(target, newNames[at])) throw new Error(`${to.name}: a row of this key exists.`);
          access.set(of, names[at], row, undefined);
          access.set(target, newNames[at], undefined, make(row, given));
          return true;
        });
      });
    },
    wake: (wake: Wake) => done(access.wake(wake)),
  };
  return operations as unknown as RowTx;
};
