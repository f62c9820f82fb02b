import { compareBytes } from '../../runtime/byte-order.ts';
import type { AnyRange } from '../port/sql.ts';
import type { Table, TableIndex } from '../port/table.ts';

/** A row, whatever its table. @internal */
export type AnyRow = Readonly<Record<string, unknown>>;

/** Compares two values of a column: text by its UTF-8 bytes. */
const compareValues = (a: unknown, b: unknown): number => {
  if (a === b) return 0;
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(a, b);
  return (a as number) < (b as number) ? -1 : 1;
};

/** The order and the rows of an index. @internal */
export interface IndexOrder {
  /** The number of its columns. */
  readonly width: number;
  /** The value of a column of a row. */
  valueAt(row: AnyRow, column: number): unknown;
  /** Whether it has the row. */
  has(row: AnyRow): boolean;
  /** Compares columns of a row, from `start` on, with values. */
  compareWith(row: AnyRow, values: readonly unknown[], start: number): number;
  /** Compares two rows. */
  compare(a: AnyRow, b: AnyRow): number;
}

/** The order of an index. @internal */
const orderOfIndex = ({ columns, where }: TableIndex): IndexOrder => {
  const names = columns.map((each) => each.replace(/^-/, ''));
  const sign = columns.map((each) => (each.startsWith('-') ? -1 : 1));
  const compareWith = (row: AnyRow, values: readonly unknown[], start: number): number => {
    for (let at = 0; at < values.length; at++) {
      const order = compareValues(row[names[start + at] as string], values[at]);
      if (order !== 0) return order * (sign[start + at] as number);
    }
    return 0;
  };
  const valuesOf = (row: AnyRow): readonly unknown[] => names.map((name) => row[name]);
  return {
    width: names.length,
    valueAt: (row, column) => row[names[column] as string],
    has: (row) => (!where || row[where[0]] === where[1]) && names.every((name) => row[name] !== undefined),
    compareWith,
    compare: (a, b) => compareWith(a, valuesOf(b), 0),
  };
};

/** Where a row stands: before a range (-1), in it (0), or after it (1). @internal */
export const placeOf = (order: IndexOrder, row: AnyRow, range: AnyRange): -1 | 0 | 1 => {
  const { prefix, from, after, to, before } = range;
  const ofPrefix = order.compareWith(row, prefix, 0);
  if (ofPrefix !== 0) return ofPrefix < 0 ? -1 : 1;
  const start = prefix.length;
  if (from && order.compareWith(row, from, start) < 0) return -1;
  if (after && order.compareWith(row, after, start) <= 0) return -1;
  if (to && order.compareWith(row, to, start) > 0) return 1;
  return before && order.compareWith(row, before, start) >= 0 ? 1 : 0;
};

/** The position of the first row that `test` accepts; it accepts all that follow. */
const firstIndex = (rows: readonly AnyRow[], test: (row: AnyRow) => boolean): number => {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(rows[middle] as AnyRow)) high = middle;
    else low = middle + 1;
  }
  return low;
};

interface SortedRows {
  readonly index: TableIndex;
  readonly order: IndexOrder;
  readonly rows: AnyRow[];
}

/** The committed rows of a table. @internal */
export interface TableRows {
  readonly table: Table;
  /** A name that no other row of the table has. */
  nameOf(row: AnyRow): string;
  get(name: string): AnyRow | undefined;
  /** Replaces a row by its name; `undefined` deletes it. */
  set(name: string, row: AnyRow | undefined): void;
  /** Whether a unique index has another row with these values. */
  clashes(name: string, row: AnyRow): boolean;
  /** The row with the value of its identity column. */
  numbered(row: AnyRow): AnyRow;
  /** The rows of a range, in the order of the index. */
  range(index: string, range: AnyRange): readonly AnyRow[];
  orderOf(index: string): IndexOrder;
}

/** The name of a row by its key. @internal */
export const nameOfKey = (key: readonly unknown[]): string => (key.length === 1 ? String(key[0]) : key.join('\0'));

/** Creates the rows of a table. @internal */
export const createTableRows = (table: Table): TableRows => {
  const byName = new Map<string, AnyRow>();
  const indexes = new Map(
    Object.entries(table.indexes).map(([name, index]): [string, SortedRows] => [
      name,
      { index, order: orderOfIndex(index), rows: [] },
    ]),
  );
  const identity = Object.entries(table.columns).find(([, { type }]) => type === 'identity')?.[0];
  let last = 0;
  const nameOf = (row: AnyRow): string => nameOfKey(table.key.map((name) => row[name]));
  const find = (index: string): SortedRows => {
    const found = indexes.get(index);
    if (!found) throw new TypeError(`${table.name}: there is no index ${index}.`);
    return found;
  };
  const placeIn = ({ order, rows }: SortedRows, row: AnyRow): number =>
    firstIndex(rows, (each) => order.compare(each, row) >= 0);

  const set = (name: string, row: AnyRow | undefined): void => {
    const before = byName.get(name);
    for (const sorted of indexes.values()) {
      const { order, rows } = sorted;
      if (before && order.has(before)) {
        // Rows that agree in all columns of the index are neighbours.
        const at = rows.indexOf(before, placeIn(sorted, before));
        rows.splice(at, 1);
      }
      if (row && order.has(row)) rows.splice(placeIn(sorted, row), 0, row);
    }
    if (row) byName.set(name, row);
    else byName.delete(name);
  };

  for (const row of (table.seed ?? []) as readonly AnyRow[]) set(nameOf(row), row);
  return {
    table,
    nameOf,
    get: (name) => byName.get(name),
    set,
    clashes: (name, row) =>
      [...indexes.values()].some((sorted) => {
        if (!sorted.index.isUnique || !sorted.order.has(row)) return false;
        const found = sorted.rows[placeIn(sorted, row)];
        return found !== undefined && sorted.order.compare(found, row) === 0 && nameOf(found) !== name;
      }),
    numbered: (row) => (identity === undefined ? row : { ...row, [identity]: ++last }),
    range: (index, range) => {
      const { order, rows } = find(index);
      const start = firstIndex(rows, (row) => placeOf(order, row, range) >= 0);
      const end = firstIndex(rows, (row) => placeOf(order, row, range) > 0);
      return rows.slice(start, end);
    },
    orderOf: (index) => find(index).order,
  };
};
