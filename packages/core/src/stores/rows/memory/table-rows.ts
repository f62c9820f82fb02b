import type { Table } from '../port/table.ts';
import { createRowIndex, type RowIndex } from './row-index.ts';
import { nameOfKey, type RowKey } from './row-key.ts';
import type { AnyRow, Slot } from './row-order.ts';

/** The committed rows of a table. */
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
  index(name: string): RowIndex;
}

export const createTableRows = (table: Table): TableRows => {
  const rows = new Map<string, Slot>();
  const indexes = new Map(
    Object.entries(table.indexes).map(([name, index]) => [name, createRowIndex(table, index, () => rows.values())]),
  );
  const all = [...indexes.values()];
  const identity = Object.entries(table.columns).find(([, { type }]) => type === 'identity')?.[0];
  let last = 0;

  const keyOf = (row: AnyRow): RowKey => table.key.map((name) => row[name]);
  const assertFree = (changed: readonly RowIndex[], row: AnyRow): void => {
    for (const index of changed)
      if (index.isTaken(row))
        throw new Error(`${table.name}: another row has the same values of ${String(index.columns)}.`);
  };
  const replace = (slot: Slot, row: AnyRow): AnyRow => {
    const before = slot.row;
    const moved = all.filter((index) => index.moves(before, row));
    assertFree(moved, row);
    for (const index of moved) index.delete(slot);
    slot.row = row;
    for (const index of moved) index.add(slot);
    return before;
  };
  const add: TableRows['add'] = (key, row) => {
    const name = nameOfKey(key);
    if (rows.has(name)) return false;
    assertFree(all, row);
    const slot = { row };
    rows.set(name, slot);
    for (const index of all) index.add(slot);
    return true;
  };

  for (const row of (table.seed ?? []) as readonly AnyRow[]) add(keyOf(row), row);
  return {
    table,
    keyOf,
    isEmpty: () => rows.size === 0,
    get: (key) => rows.get(nameOfKey(key))?.row,
    add,
    put: (key, row) => {
      const known = rows.get(nameOfKey(key));
      if (known) return replace(known, row);
      add(key, row);
      return undefined;
    },
    delete: (key) => {
      const name = nameOfKey(key);
      const slot = rows.get(name);
      if (!slot) return undefined;
      rows.delete(name);
      for (const index of all) index.delete(slot);
      return slot.row;
    },
    numbered: (row) => {
      if (identity === undefined) return row;
      // A computed name in the literal would make it several times slower.
      const made: Record<string, unknown> = { ...row };
      made[identity] = ++last;
      return made;
    },
    index: (name) => {
      const found = indexes.get(name);
      if (!found) throw new TypeError(`${table.name}: there is no index ${name}.`);
      return found;
    },
  };
};
