import type { AnyRange } from '../port/sql.ts';
import type { Table, TableIndex } from '../port/table.ts';
import type { KeyMap } from './key-map.ts';
import { type AnyRow, bareName, orderOfIndex, type Slot } from './row-order.ts';
import { SortedRows } from './sorted-rows.ts';

/**
 * An index of a table. It is built when it is first read, unless it is unique, and kept up to date from then on.
 * @internal
 */
export interface RowIndex {
  /** See {@link TableIndex}. */
  readonly columns: readonly string[];
  /** See {@link TableIndex}. */
  readonly isUnique: boolean;
  /** Whether a row never changes its place: its columns are of the key. */
  readonly isOfKey: boolean;
  /** Whether it has rows of this kind: of its part, and with a value in each column. */
  has(row: AnyRow): boolean;
  /** Whether the prefix of a range is the key of a row. */
  isKey(range: AnyRange): boolean;
  /** Whether the place of a row changes when its values do. */
  moves(before: AnyRow, row: AnyRow): boolean;
  /** Whether it is unique, and has a row with these values. */
  isTaken(row: AnyRow): boolean;
  /** Notes a row that is added, or that replaces another one. */
  note(row: AnyRow): void;
  /** Adds the row of a slot, if it has rows of this kind. Returns `false` instead when it is taken. */
  add(slot: Slot): boolean;
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

/** The rows that agree in the grouped columns: many groups have one row only. */
type Group = Slot | SortedRows;
type Groups = Map<unknown, Groups | Group>;

const isList = (group: Group | undefined): group is SortedRows => group !== undefined && !('row' in group);

/** A bound of a range on one side. */
interface Bound {
  /** The values of columns after the grouped ones. */
  readonly values: readonly unknown[];
  /** Whether rows with these values are in the range. */
  readonly isIncluded: boolean;
}
type Values = readonly unknown[] | undefined;

const unbounded: readonly Bound[] = [];

/** The bounds on one side of a range. `rest`: the values of its prefix after the grouped columns. */
const boundsOf = (rest: readonly unknown[], included: Values, excluded: Values): readonly Bound[] => {
  if (!included && !excluded) return rest.length === 0 ? unbounded : [{ values: rest, isIncluded: true }];
  const bounds: Bound[] = [];
  if (included) bounds.push({ values: [...rest, ...included], isIncluded: true });
  if (excluded) bounds.push({ values: [...rest, ...excluded], isIncluded: false });
  return bounds;
};

/** Creates an index of the rows of a table. @internal */
export const createRowIndex = (table: Table, index: TableIndex, all: KeyMap<Slot>): RowIndex => {
  const names = index.columns.map(bareName);
  const { where, isUnique } = index;
  const order = orderOfIndex(table, index);
  const optional = names.filter((name) => table.columns[name]?.isOptional);
  const isOfKey = !where && names.every((name) => table.key.includes(name));
  const isKey = !where && String(index.columns) === String(table.key);
  /** The second column, if it is of numbers, and the smallest of them so far. */
  const [, second = ''] = index.columns;
  const isOfNumbers = ['number', 'integer'].includes(table.columns[second]?.type ?? '');
  let smallest = Number.POSITIVE_INFINITY;
  /** The number of columns that ranges begin with, at least: rows are grouped by them. */
  let depth = isUnique ? Math.max(names.length - 1, 0) : names.length;
  let inGroup = depth === 0 ? order : orderOfIndex(table, index, depth);
  /** Of a depth of 0: one group. */
  let groups: Groups | undefined = isUnique ? new Map() : undefined;

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
  const valueAt = (row: AnyRow, column: number): unknown => (depth === 0 ? undefined : row[names[column] as string]);

  /** The map that has the group of a row. */
  const mapOf = (row: AnyRow): Groups => {
    let map = groups as Groups;
    for (let column = 0; column < depth - 1; column++) {
      const value = valueAt(row, column);
      let next = map.get(value) as Groups | undefined;
      if (!next) {
        next = new Map();
        map.set(value, next);
      }
      map = next;
    }
    return map;
  };
  const lastValue = (row: AnyRow): unknown => valueAt(row, Math.max(depth - 1, 0));

  /** Whether a group has a row with the values of this one. */
  const isTakenIn = (group: Group, row: AnyRow): boolean => {
    if (!isList(group)) return agree(group.row, row, names.length);
    let isTaken = false;
    const last = names.slice(depth).map((name) => row[name]);
    group.visitAfter(group.seek(last, false), (found) => {
      isTaken = agree(found, row, names.length);
      return false;
    });
    return isTaken;
  };

  const add = (slot: Slot): boolean => {
    const map = mapOf(slot.row);
    const value = lastValue(slot.row);
    const group = map.get(value) as Group | undefined;
    if (!group) map.set(value, slot);
    else if (isUnique && isTakenIn(group, slot.row)) return false;
    else if (isList(group)) group.add(slot);
    else {
      const isAfter = inGroup.compare(group.row, slot.row) < 0;
      map.set(value, new SortedRows(inGroup, isAfter ? [group, slot] : [slot, group]));
    }
    return true;
  };

  const remove = (slot: Slot, map = groups as Groups, column = 0): void => {
    const value = valueAt(slot.row, column);
    if (column < depth - 1) {
      const next = map.get(value) as Groups;
      remove(slot, next, column + 1);
      if (next.size === 0) map.delete(value);
      return;
    }
    const group = map.get(value) as Group;
    if (isList(group)) {
      group.delete(slot);
      if (!group.isEmpty()) return;
    }
    map.delete(value);
  };

  const build = (columns: number): void => {
    depth = columns;
    inGroup = orderOfIndex(table, index, depth);
    groups = new Map();
    // Rows come mostly in order: to sort a list of them is cheaper than to add each at its place.
    const lists: [map: Groups, value: unknown, slots: Slot[]][] = [];
    const known = new Map<Groups, Map<unknown, Slot[]>>();
    all.visit((slot) => {
      const { row } = slot;
      if (!has(row)) return;
      const map = mapOf(row);
      const ofMap = known.get(map) ?? new Map<unknown, Slot[]>();
      if (ofMap.size === 0) known.set(map, ofMap);
      const value = lastValue(row);
      const slots = ofMap.get(value);
      if (slots) slots.push(slot);
      else {
        const made = [slot];
        ofMap.set(value, made);
        lists.push([map, value, made]);
      }
    });
    const compare = (a: Slot, b: Slot): number => inGroup.compare(a.row, b.row);
    for (const [map, value, slots] of lists)
      map.set(value, slots.length === 1 ? (slots[0] as Slot) : new SortedRows(inGroup, slots.sort(compare)));
  };

  /** The group of a range that begins with the grouped columns. */
  const groupOf = ({ prefix }: AnyRange): Group | undefined => {
    let node: Groups | Group | undefined = groups;
    for (let column = 0; column < Math.max(depth, 1) && node; column++)
      node = (node as Groups).get(depth === 0 ? undefined : prefix[column]);
    return node as Group | undefined;
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

  /** Looks for the beginning of the range alone: most reads end before its end. */
  const visitSorted = (
    sorted: SortedRows,
    { prefix, from, after, to, before }: AnyRange,
    newestFirst: boolean,
    found: (row: AnyRow) => boolean,
  ): void => {
    const rest = prefix.length > depth ? prefix.slice(depth) : unbounded;
    const lower = boundsOf(rest, from, after);
    const upper = boundsOf(rest, to, before);
    const sign = newestFirst ? -1 : 1;
    const far = newestFirst ? lower : upper;
    const isBeyond = (row: AnyRow): boolean => {
      for (const { values, isIncluded } of far) {
        const order = inGroup.compareWith(row, values) * sign;
        if (order > 0 || (order === 0 && !isIncluded)) return true;
      }
      return false;
    };
    const visitOne = far.length === 0 ? found : (row: AnyRow): boolean => !isBeyond(row) && found(row);
    if (newestFirst) {
      let end = sorted.end();
      for (const { values, isIncluded } of upper) end = Math.min(end, sorted.seek(values, isIncluded));
      sorted.visitBefore(end, visitOne);
    } else {
      let start = 0;
      for (const { values, isIncluded } of lower) start = Math.max(start, sorted.seek(values, !isIncluded));
      sorted.visitAfter(start, visitOne);
    }
  };

  /** Reads an index whose columns are the key, if the key finds few rows: it need not be built for them. */
  const visitFew = (range: AnyRange, newestFirst: boolean, found: (row: AnyRow) => boolean): boolean => {
    const few = all.few(range.prefix);
    if (!few) return false;
    const rows: AnyRow[] = [];
    for (const { row } of few) if (isIn(row, range)) rows.push(row);
    if (rows.length > 1) rows.sort(newestFirst ? (a, b) => order.compare(b, a) : order.compare);
    for (const row of rows) if (!found(row)) break;
    return true;
  };

  /** Whether a range certainly has no row. Most reads of old rows find none: the index need not be built for them. */
  const hasNone = ({ prefix, to, before }: AnyRange): boolean => {
    if (groups && depth > 0 && prefix.length > 0) return !groups.has(prefix[0]);
    const [last] = to ?? before ?? unbounded;
    return isOfNumbers && prefix.length === 1 && typeof last === 'number' && last < smallest;
  };

  const visit: RowIndex['visit'] = (range, newestFirst, found) => {
    if (all.size === 0 || hasNone(range)) return;
    if (!groups && isKey && visitFew(range, newestFirst, found)) return;
    if (!groups || range.prefix.length < depth) build(Math.min(depth, range.prefix.length));
    const group = groupOf(range);
    if (isList(group)) visitSorted(group, range, newestFirst, found);
    else if (group && isIn(group.row, range)) found(group.row);
  };

  return {
    columns: index.columns,
    isUnique: isUnique === true,
    isOfKey,
    has,
    isKey: (range) =>
      isKey && range.prefix.length === names.length && !range.from && !range.after && !range.to && !range.before,
    moves: (before, row) => {
      if (!groups) return false;
      const isIn = has(row);
      return has(before) === isIn ? isIn && !agree(before, row, names.length) : true;
    },
    isTaken: (row) => {
      if (!isUnique || !has(row)) return false;
      let node: Groups | Group | undefined = groups;
      for (let column = 0; column < Math.max(depth, 1) && node; column++)
        node = (node as Groups).get(valueAt(row, column)) as Groups | Group | undefined;
      return node !== undefined && isTakenIn(node as Group, row);
    },
    note: (row) => {
      if (isOfNumbers && (row[second] as number) < smallest) smallest = row[second] as number;
    },
    add: (slot) => !groups || !has(slot.row) || add(slot),
    delete: (slot) => {
      if (groups && has(slot.row)) remove(slot);
    },
    visit,
    isIn,
    agree,
    compare: order.compare,
  };
};
