import type { AnyRange } from '../port/sql.ts';
import type { Table, TableIndex } from '../port/table.ts';
import { type AnyRow, compareValues, orderOfIndex } from './row-order.ts';
import { createSortedRows, type SortedRows } from './sorted-rows.ts';

/**
 * An index of a table. It is built when it is first read, unless it is unique, and kept up to date from then on.
 * @internal
 */
export interface RowIndex {
  /** See {@link TableIndex}. */
  readonly columns: readonly string[];
  /** Whether it has rows of this kind: of its part, and with a value in each column. */
  has(row: AnyRow): boolean;
  /** Adds a row. Returns `false`, and adds nothing, when the index is unique and has another such row. */
  add(row: AnyRow): boolean;
  /** Removes a row. */
  delete(row: AnyRow): void;
  /** Calls `visit` with the rows of a range, in order or from its end, until it returns `false`. */
  visit(range: AnyRange, newestFirst: boolean, visit: (row: AnyRow) => boolean): void;
  /** Whether a row is in a range. */
  isIn(row: AnyRow, range: AnyRange): boolean;
  /** Whether two rows agree in the first columns. */
  agree(a: AnyRow, b: AnyRow, columns: number): boolean;
  compare(a: AnyRow, b: AnyRow): number;
}

const boundsOf = (range: AnyRange, sorted: SortedRows, prefix: readonly unknown[]): readonly [number, number] => {
  const { from, after, to, before } = range;
  const at = (bound: readonly unknown[], isAfter: boolean): number =>
    sorted.seek(prefix.length === 0 ? bound : [...prefix, ...bound], isAfter);
  let start = from ? at(from, false) : after ? at(after, true) : prefix.length === 0 ? 0 : sorted.seek(prefix, false);
  if (from && after) start = Math.max(start, at(after, true));
  let end = to
    ? at(to, true)
    : before
      ? at(before, false)
      : prefix.length === 0
        ? sorted.end()
        : sorted.seek(prefix, true);
  if (to && before) end = Math.min(end, at(before, false));
  return [start, end];
};

/** Creates an index of the rows of a table. @internal */
export const createRowIndex = (table: Table, index: TableIndex, all: ReadonlyMap<unknown, AnyRow>): RowIndex => {
  const names = index.columns.map((name) => name.replace(/^-/, ''));
  const { where } = index;
  const [first = ''] = names;
  // Rows are added at the end of a group more often than at the end of all. Few rows agree in a number.
  const isGrouped = names.length > 1 && table.columns[first]?.type !== 'number';
  const order = orderOfIndex(table, index);
  const inGroup = isGrouped ? orderOfIndex(table, index, 1) : order;
  let groups: Map<unknown, SortedRows> | undefined = index.isUnique ? new Map() : undefined;
  const optional = names.filter((name) => table.columns[name]?.isOptional);

  const groupOf = (row: AnyRow): unknown => (isGrouped ? row[first] : undefined);
  const has = (row: AnyRow): boolean =>
    (!where || row[where[0]] === where[1]) && optional.every((name) => row[name] !== undefined);

  const build = (): Map<unknown, SortedRows> => {
    const made = new Map<unknown, AnyRow[]>();
    for (const row of all.values()) {
      if (!has(row)) continue;
      const known = made.get(groupOf(row));
      if (known) known.push(row);
      else made.set(groupOf(row), [row]);
    }
    groups = new Map([...made].map(([group, rows]) => [group, createSortedRows(inGroup, rows.sort(inGroup.compare))]));
    return groups;
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

  const agree = (a: AnyRow, b: AnyRow, columns: number): boolean =>
    names.every((name, at) => at >= columns || a[name] === b[name]);

  return {
    columns: index.columns,
    has,
    add: (row) => {
      if (!groups || !has(row)) return true;
      const group = groupOf(row);
      const known = groups.get(group);
      if (!known) groups.set(group, createSortedRows(inGroup, [row]));
      else if (!index.isUnique) known.add(row);
      else return known.add(row, (neighbour) => agree(neighbour, row, names.length));
      return true;
    },
    delete: (row) => {
      if (!groups || !has(row)) return;
      const group = groupOf(row);
      const known = groups.get(group);
      known?.delete(row);
      if (known?.isEmpty()) groups.delete(group);
    },
    visit: (range, newestFirst, visit) => {
      if (all.size === 0) return;
      const built = groups ?? build();
      if (isGrouped && range.prefix.length === 0) {
        let isWanted = true;
        const keys = [...built.keys()].sort(compareValues);
        for (const group of newestFirst ? keys.reverse() : keys) {
          const sorted = built.get(group) as SortedRows;
          sorted.visit(0, sorted.end(), newestFirst, (row) => {
            if (isIn(row, range)) isWanted = visit(row);
            return isWanted;
          });
          if (!isWanted) return;
        }
        return;
      }
      const sorted = built.get(isGrouped ? range.prefix[0] : undefined);
      if (!sorted) return;
      const [start, end] = boundsOf(range, sorted, isGrouped ? range.prefix.slice(1) : range.prefix);
      sorted.visit(start, end, newestFirst, visit);
    },
    isIn,
    agree,
    compare: order.compare,
  };
};
