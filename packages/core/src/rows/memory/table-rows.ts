import { movedRows } from '../port/move.ts';
import type { Table } from '../port/table.ts';
import { KeyMap, type RowKey } from './key-map.ts';
import { createRowIndex, type RowIndex } from './row-index.ts';
import type { AnyRow, Slot } from './row-order.ts';

/** The committed rows of a table. @internal */
export interface TableRows {
  readonly table: Table;
  keyOf(row: AnyRow): RowKey;
  isEmpty(): boolean;
  get(key: RowKey): AnyRow | undefined;
  /**
   * Replaces the row of a key; `undefined`: none. Returns the row that was there.
   * @throws Error when a unique index has another such row; then nothing is changed.
   */
  set(key: RowKey, row: AnyRow | undefined): AnyRow | undefined;
  /**
   * Adds a row whose key has none.
   * @throws Error as `set` does.
   */
  add(key: RowKey, row: AnyRow): void;
  /** The row with the value of its identity column. */
  numbered(row: AnyRow): AnyRow;
  /** See `RowTx.move`: makes a row of the other table. */
  moverTo(other: TableRows): (row: AnyRow, given: AnyRow) => AnyRow;
  index(name: string): RowIndex;
}

/** Creates the rows of a table. @internal */
export const createTableRows = (table: Table): TableRows => {
  const { length } = table.key;
  const [first = '', second = '', third = ''] = table.key;
  const rows = new KeyMap<Slot>(length, ({ row }, column) => row[table.key[column] as string]);
  const indexes = new Map(
    Object.entries(table.indexes).map(([name, index]) => [name, createRowIndex(table, index, rows)]),
  );
  const all = [...indexes.values()];
  const unique = all.filter(({ isUnique }) => isUnique);
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

  const refuseTaken = (row: AnyRow, changed: readonly RowIndex[]): void => {
    for (const index of changed)
      if (index.isTaken(row))
        throw new Error(`${table.name}: another row has the same values of ${String(index.columns)}.`);
  };

  const add: TableRows['add'] = (key, row) => {
    if (unique.length > 0) refuseTaken(row, unique);
    const slot = { row };
    rows.set(key, slot);
    for (const index of all) index.add(slot);
  };

  const set: TableRows['set'] = (key, row) => {
    const slot = rows.get(key);
    const before = slot?.row;
    if (slot && before && row) {
      const moved = movable.length === 0 ? movable : movable.filter((index) => index.moves(before, row));
      refuseTaken(row, moved);
      for (const index of moved) index.delete(slot);
      slot.row = row;
      for (const index of moved) index.add(slot);
    } else if (slot) {
      for (const index of all) index.delete(slot);
      rows.delete(key);
    } else if (row) add(key, row);
    return before;
  };

  for (const row of (table.seed ?? []) as readonly AnyRow[]) set(keyOf(row), row);
  return {
    table,
    keyOf,
    isEmpty: () => rows.size === 0,
    get: (key) => rows.get(key)?.row,
    set,
    add,
    numbered: (row) => (identity === undefined ? row : { ...row, [identity]: ++last }),
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
