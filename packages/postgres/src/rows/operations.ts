import {
  type AnyRange,
  done,
  type Lock,
  later,
  type RowTx,
  type ScanOptions,
  type StoreWake,
  type Table,
  type TableIndex,
} from '@partnerkit/core/adapter';
import type { SqlRow, SqlValue } from '../drivers/driver.ts';
import type { FullDialect } from './dialect.ts';
import { boundRanges, countOf, groupsOf, type RangeGroup, scanOf } from './scan.ts';
import type { AnyRow, Shape } from './shape.ts';
import { isStorable } from './values.ts';

/** Runs one statement. */
export type Query = (text: string, values: readonly SqlValue[]) => Promise<readonly SqlRow[]>;

type Keys = readonly (readonly unknown[])[];

/** A transaction, or one statement without one. */
export interface OperationsOptions {
  readonly dialect: FullDialect;
  readonly shapeOf: (table: Table) => Shape;
  /** The time of the store in SQL, in milliseconds since 1970. */
  readonly now: () => string;
  readonly query: Query;
  /** Called before the first write. */
  readonly beforeWrite?: (() => Promise<void>) | undefined;
  readonly wake: (wake: StoreWake) => void;
}

const infinity = Number.POSITIVE_INFINITY;
const limitOf = (limit: number): number | null => (Number.isFinite(limit) ? limit : null);
const rowOfKey = ({ key }: Table, values: readonly unknown[]): AnyRow =>
  Object.fromEntries(key.map((name, at) => [name, values[at]]));
const nameOf = ({ key }: Table, row: AnyRow): string => JSON.stringify(key.map((name) => row[name]));

const indexOf = (table: Table, name: string): TableIndex => {
  const found = table.indexes[name];
  if (!found) throw new TypeError(`${table.name}: there is no index ${name}.`);
  return found;
};

/** `keep` is shared with `update`, which changes no key; `free` is not shared with it. */
const locksIn = ({ keep, share }: FullDialect) => ({
  keep: ` ${keep} of t`,
  share: ` ${share} of t`,
  update: ' for no key update of t',
  free: ' for update of t skip locked',
  delete: ' for update of t',
});

/** Those of a group that a row can match, with their places. */
const storable = (group: RangeGroup): readonly (readonly [number, AnyRange])[] =>
  [...group.entries()].filter(([, { prefix }]) => prefix.every(isStorable));

/** The operations on rows, each by the plainest statement. */
export const rowOperations = ({ dialect, shapeOf, now, query, beforeWrite, wake }: OperationsOptions): RowTx => {
  const locks = locksIn(dialect);
  const write: Query = async (text, values) => {
    await beforeWrite?.();
    return query(text, values);
  };

  /** Rows by key, in the order of the keys, which is also that of their locks. */
  const get = async (table: Table, keys: Keys, lock?: Lock | 'delete'): Promise<readonly (AnyRow | undefined)[]> => {
    const shape = shapeOf(table);
    const found: (AnyRow | undefined)[] = keys.map(() => undefined);
    const places = keys.flatMap((key, at) => (key.every(isStorable) ? [at] : []));
    const wanted = places.map((at) => rowOfKey(table, keys[at] ?? []));
    const text = shape.get(lock ? locks[lock] : '');
    for (const row of await query(text, [shape.rows(wanted, table.key)]))
      found[places[Number(row['nth'])] as number] = shape.read(row);
    return found;
  };

  const scan = async (
    table: Table,
    name: string,
    ranges: readonly AnyRange[],
    { limit = infinity, newestFirst = false, distinct }: ScanOptions,
  ): Promise<readonly AnyRow[]> => {
    const index = indexOf(table, name);
    const shape = shapeOf(table);
    const found: AnyRow[] = [];
    const readGroup = async (group: RangeGroup, most: number): Promise<readonly AnyRow[]> => {
      const text = scanOf(shape, index, group[0], newestFirst);
      const rows = await query(text, [boundRanges(table, index, storable(group)), limitOf(most)]);
      return rows.map((row) => shape.read(row));
    };
    if (distinct === undefined) {
      for (const group of groupsOf(ranges)) {
        if (found.length >= limit) break;
        for (const row of await readGroup(group, limit - found.length)) found.push(row);
      }
      return found;
    }
    for (const range of ranges) {
      const end = Math.min(limit, found.length + (range.limit ?? infinity));
      for (let rest = range; found.length < end; ) {
        const [row] = await readGroup([{ ...rest, limit: 1 }], 1);
        if (!row) break;
        found.push(row);
        if (range.prefix.length >= distinct) break;
        const values = index.columns.slice(range.prefix.length, distinct).map((column) => row[column]);
        rest = { ...rest, [newestFirst ? 'before' : 'after']: values };
      }
    }
    return found;
  };

  const count = async (table: Table, name: string, ranges: readonly AnyRange[]): Promise<readonly number[]> => {
    const index = indexOf(table, name);
    const counts: number[] = [];
    for (const group of groupsOf(ranges)) {
      const first = counts.length;
      for (const _ of group) counts.push(0);
      const text = countOf(shapeOf(table), index, group[0]);
      for (const row of await query(text, [boundRanges(table, index, storable(group))]))
        counts[first + Number(row['nth'])] = Number(row['found']);
    }
    return counts;
  };

  const insert = async (table: Table, added: readonly AnyRow[], onConflict: 'fail' | 'ignore') => {
    const { insert, insertUnknown, read } = shapeOf(table);
    if (onConflict === 'fail') {
      await write(...insert(added));
      return added.map(() => true);
    }
    const made = await write(...insertUnknown(added));
    const names = new Set(made.map((row) => nameOf(table, read(row, table.key))));
    return added.map((row) => names.delete(nameOf(table, row)));
  };

  const put = async (table: Table, changed: readonly AnyRow[]): Promise<void> => {
    // Of two rows of one key, the last one counts.
    const byKey = new Map(changed.map((row) => [nameOf(table, row), row]));
    await write(...shapeOf(table).put([...byKey.values()]));
  };

  const remove = async (table: Table, keys: Keys): Promise<readonly boolean[]> => {
    const shape = shapeOf(table);
    const found = await get(table, keys, 'delete');
    const there = found.filter((row) => row !== undefined);
    if (there.length > 0) await write(shape.delete, [shape.rows(there, table.key)]);
    const left = new Set(there.map((row) => nameOf(table, row)));
    return found.map((row) => row !== undefined && left.delete(nameOf(table, row)));
  };

  const operations = {
    now: () => later(query(`select ${now()} as now`, []).then(([row]) => Number(row?.['now']))),
    get: (table: Table, keys: Keys, lock?: Lock) => (keys.length === 0 ? done([]) : later(get(table, keys, lock))),
    scan: (table: Table, name: string, ranges: readonly AnyRange[], options: ScanOptions = {}) =>
      ranges.length === 0 ? done([]) : later(scan(table, name, ranges, options)),
    count: (table: Table, name: string, ranges: readonly AnyRange[]) => later(count(table, name, ranges)),
    insert: (table: Table, rows: readonly AnyRow[], onConflict: 'fail' | 'ignore') =>
      rows.length === 0 ? done([]) : later(insert(table, rows, onConflict)),
    put: (table: Table, rows: readonly AnyRow[]) => (rows.length === 0 ? done(undefined) : later(put(table, rows))),
    delete: (table: Table, keys: Keys) => (keys.length === 0 ? done([]) : later(remove(table, keys))),
    wake: (each: StoreWake) => done(wake(each)),
  };
  return operations as unknown as RowTx;
};
