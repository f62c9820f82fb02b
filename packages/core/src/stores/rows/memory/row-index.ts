import type { AnyRange } from '../port/sql.ts';
import type { Table, TableIndex } from '../port/table.ts';
import { nameOfKey } from './row-key.ts';
import { type AnyRow, bareName, orderOfIndex, type Slot } from './row-order.ts';
import { SortedRows } from './sorted-rows.ts';

/** An index of a table. It is built when it is first read, unless it is unique, and kept up to date from then on. */
export interface RowIndex {
  /** See {@link TableIndex}. */
  readonly columns: readonly string[];
  /** Whether it has rows of this kind: of its part, and with a value in each column. */
  has(row: AnyRow): boolean;
  /** Whether the prefix of a range is the key of a row. */
  isKey(range: AnyRange): boolean;
  /** Whether the place of a row changes when its values do. */
  moves(before: AnyRow, row: AnyRow): boolean;
  /** Whether it is unique, and has a row with these values. */
  isTaken(row: AnyRow): boolean;
  /** Adds the row of a slot, if it has rows of this kind. */
  add(slot: Slot): void;
  /** Removes the row of a slot, before it changes. */
  delete(slot: Slot): void;
  /** Calls `visit` with the rows of a range, in order or from its end, until it returns `false`. */
  visit(range: AnyRange, newestFirst: boolean, visit: (row: AnyRow) => boolean): void;
  /** Whether a row is in a range. */
  isIn(row: AnyRow, range: AnyRange): boolean;
  /** Whether two rows agree in the first columns. */
  agree(a: AnyRow, b: AnyRow, columns: number): boolean;
  compare(a: AnyRow, b: AnyRow): number;
}

/** A bound of a range on one side. */
interface Bound {
  readonly values: readonly unknown[];
  /** Whether rows with these values are in the range. */
  readonly isIncluded: boolean;
}
type Values = readonly unknown[] | undefined;

/** The bounds on one side of a range. */
const boundsOf = (prefix: readonly unknown[], included: Values, excluded: Values): readonly Bound[] => {
  const bounds: Bound[] = [];
  if (included) bounds.push({ values: [...prefix, ...included], isIncluded: true });
  if (excluded) bounds.push({ values: [...prefix, ...excluded], isIncluded: false });
  return bounds.length > 0 ? bounds : [{ values: prefix, isIncluded: true }];
};

/** Creates an index of the rows of a table. */
export const createRowIndex = (table: Table, index: TableIndex, all: () => Iterable<Slot>): RowIndex => {
  const names = index.columns.map(bareName);
  const [first = ''] = names;
  const { where, isUnique } = index;
  const order = orderOfIndex(table, index);
  const optional = names.filter((name) => table.columns[name]?.isOptional);
  const isKey = !where && String(index.columns) === String(table.key);
  /** Rows are grouped by as many columns as each range had in its prefix. */
  let depth = isUnique ? names.length - 1 : names.length;
  /** Absent before the first read. */
  let groups: Map<unknown, SortedRows> | undefined = isUnique ? new Map() : undefined;

  const has = (row: AnyRow): boolean => {
    if (where && row[where[0]] !== where[1]) return false;
    for (const name of optional) if (row[name] === undefined) return false;
    return true;
  };
  const agree = (a: AnyRow, b: AnyRow, columns: number): boolean => {
    for (let at = 0; at < columns; at++) {
      const name = names[at] as string;
      if (a[name] !== b[name]) return false;
    }
    return true;
  };
  /** The group of values of the first columns. One value needs no text: many ranges have a shard alone. */
  const groupOf = (values: readonly unknown[]): unknown => (depth === 1 ? values[0] : nameOfKey(values, depth));
  const groupOfRow = (row: AnyRow): unknown =>
    depth === 1 ? row[first] : groupOf(names.slice(0, depth).map((name) => row[name]));
  const addTo = (into: Map<unknown, SortedRows>, slot: Slot): void => {
    const name = groupOfRow(slot.row);
    const group = into.get(name);
    if (group) group.add(slot);
    else into.set(name, new SortedRows(order, [slot]));
  };
  const build = (): Map<unknown, SortedRows> => {
    const built = new Map<unknown, SortedRows>();
    for (const slot of all()) if (has(slot.row)) addTo(built, slot);
    return built;
  };

  const isIn = (row: AnyRow, { prefix, from, after, to, before }: AnyRange): boolean => {
    const compare = (bound: readonly unknown[]): number => order.compareWith(row, [...prefix, ...bound]);
    return (
      order.compareWith(row, prefix) === 0 &&
      (!from || compare(from) >= 0) &&
      (!after || compare(after) > 0) &&
      (!to || compare(to) <= 0) &&
      (!before || compare(before) < 0)
    );
  };

  const visit: RowIndex['visit'] = ({ prefix, from, after, to, before }, newestFirst, found) => {
    if (prefix.length < depth) {
      depth = prefix.length;
      groups = undefined;
    }
    groups ??= build();
    const sorted = groups.get(groupOf(prefix));
    if (!sorted) return;
    const lower = boundsOf(prefix, from, after);
    const upper = boundsOf(prefix, to, before);
    const far = newestFirst ? lower : upper;
    const sign = newestFirst ? -1 : 1;
    // Looks for the beginning of the range alone: most reads end before its end.
    const visitOne = (row: AnyRow): boolean => {
      for (const { values, isIncluded } of far) {
        const compared = order.compareWith(row, values) * sign;
        if (compared > 0 || (compared === 0 && !isIncluded)) return false;
      }
      return found(row);
    };
    if (newestFirst) {
      const ends = upper.map(({ values, isIncluded }) => sorted.seek(values, isIncluded));
      sorted.visitBefore(Math.min(...ends), visitOne);
    } else {
      const starts = lower.map(({ values, isIncluded }) => sorted.seek(values, !isIncluded));
      sorted.visitAfter(Math.max(...starts), visitOne);
    }
  };

  return {
    columns: index.columns,
    has,
    isKey: (range) =>
      isKey && range.prefix.length === names.length && !range.from && !range.after && !range.to && !range.before,
    moves: (before, row) => {
      if (!groups) return false;
      const isIn = has(row);
      return has(before) === isIn ? isIn && !agree(before, row, names.length) : true;
    },
    isTaken: (row) => {
      const sorted = isUnique && has(row) ? groups?.get(groupOfRow(row)) : undefined;
      if (!sorted) return false;
      const values = names.map((name) => row[name]);
      let isTaken = false;
      sorted.visitAfter(sorted.seek(values, false), (found) => {
        isTaken = agree(found, row, names.length);
        return false;
      });
      return isTaken;
    },
    add: (slot) => {
      if (groups && has(slot.row)) addTo(groups, slot);
    },
    delete: (slot) => {
      if (!groups || !has(slot.row)) return;
      const name = groupOfRow(slot.row);
      const group = groups.get(name);
      group?.delete(slot);
      if (group?.isEmpty()) groups.delete(name);
    },
    visit,
    isIn,
    agree,
    compare: order.compare,
  };
};
