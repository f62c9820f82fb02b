import { movedRows } from '../port/move.ts';
import type { Table } from '../port/table.ts';
import { KeyMap, type RowKey, type SharedPlace } from './key-map.ts';
import { createRowIndex, type RowIndex } from './row-index.ts';
import type { AnyRow, Slot } from './row-order.ts';

/** The committed rows of a table. @internal */
export interface TableRows {
  readonly table: Table;
  keyOf(row: AnyRow): RowKey;
  isEmpty(): boolean;
  get(key: RowKey): AnyRow | undefined;
  /**
   * Adds a row, unless its key has one. Returns whether it did.
   * @throws Error when a unique index has another such row; then nothing is changed.
   */
  add(key: RowKey, row: AnyRow): boolean;
  /**
   * Adds a row, or replaces the one of its key. Returns the row that was there.
   * @throws Error as `add` does.
   */
  put(key: RowKey, row: AnyRow): AnyRow | undefined;
  /** Removes the row of a key, and returns it, if there is one. */
  delete(key: RowKey): AnyRow | undefined;
  /** The row with the value of its identity column. */
  numbered(row: AnyRow): AnyRow;
  /** See `RowTx.move`: makes a row of the other table. */
  moverTo(other: TableRows): (row: AnyRow, given: AnyRow) => AnyRow;
  index(name: string): RowIndex;
}

/** Creates the rows of a table. @internal */
export const createTableRows = (table: Table, shared?: SharedPlace): TableRows => {
  const { length } = table.key;
  const [first = '', second = '', third = ''] = table.key;
  const rows = new KeyMap<Slot>(length, ({ row }, column) => row[table.key[column] as string], shared);
  const indexes = new Map(
    Object.entries(table.indexes).map(([name, index]) => [name, createRowIndex(table, index, rows)]),
  );
  const all = [...indexes.values()];
  /** Those in which a row of a key may change its place. */
  const movable = all.filter(({ isOfKey }) => !isOfKey);
  const movers = new Map<TableRows, ReturnType<typeof movedRows>>();
  const identity = Object.entries(table.columns).find(([, { type }]) => type === 'identity')?.[0];
  let last = 0;

  const keyOf = (row: AnyRow): RowKey => {
    if (length === 1) return [row[first]];
    if (length === 2) return [row[first], row[second]];
    if (length === 3) return [row[first], row[second], row[third]];
    return table.key.map((name) => row[name]);
  };

  const taken = ({ columns }: RowIndex): Error =>
    new Error(`${table.name}: another row has the same values of ${String(columns)}.`);

  const replace = (slot: Slot, row: AnyRow): AnyRow => {
    const before = slot.row;
    let moved: RowIndex[] | undefined;
    for (const index of movable) {
      index.note(row);
      if (!index.moves(before, row)) continue;
      moved ??= [];
      moved.push(index);
    }
    if (!moved) {
      slot.row = row;
      return before;
    }
    for (const index of moved) if (index.isTaken(row)) throw taken(index);
    for (const index of moved) index.delete(slot);
    slot.row = row;
    for (const index of moved) index.add(slot);
    return before;
  };
  /** Adds a row, unless its key has one: returns the place of that one. */
  const tryAdd = (key: RowKey, row: AnyRow): Slot | undefined => {
    const slot = { row };
    const known = rows.add(key, slot);
    if (known) return known;
    for (let at = 0; at < all.length; at++) {
      const index = all[at] as RowIndex;
      index.note(row);
      if (index.add(slot)) continue;
      rows.delete(key);
      while (at > 0) all[--at]?.delete(slot);
      throw taken(index);
    }
    return undefined;
  };
  const add: TableRows['add'] = (key, row) => tryAdd(key, row) === undefined;

  for (const row of (table.seed ?? []) as readonly AnyRow[]) add(keyOf(row), row);
  return {
    table,
    keyOf,
    isEmpty: () => rows.size === 0,
    get: (key) => rows.get(key)?.row,
    add,
    put: (key, row) => {
      const known = rows.get(key);
      if (known) return replace(known, row);
      tryAdd(key, row);
      return undefined;
    },
    delete: (key) => {
      const slot = rows.delete(key);
      if (slot) for (const index of all) index.delete(slot);
      return slot?.row;
    },
    numbered: (row) => {
      if (identity === undefined) return row;
      // A computed name in the literal would make it several times slower.
      const made: Record<string, unknown> = { ...row };
      made[identity] = ++last;
      return made;
    },
    moverTo: (other) => {
      const known = movers.get(other);
      if (known) return known;
      const made = movedRows(table, other.table);
      movers.set(other, made);
      return made;
    },
    index: (name) => {
      const found = indexes.get(name);
      if (!found) throw new TypeError(`${table.name}: there is no index ${name}.`);
      return found;
    },
  };
};
