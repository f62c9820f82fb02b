import type { AnyRange } from '../port/sql.ts';
import type { Table } from '../port/table.ts';
import { createRowIndex, type RowIndex } from './row-index.ts';
import type { AnyRow } from './row-order.ts';

/** A value that no other key of the table has: text that the key is written as, or the key itself. @internal */
export type KeyName = unknown;

/** The name of a key. @internal */
export const nameOfKey = (key: readonly unknown[]): KeyName => {
  if (key.length === 1) return key[0];
  let name = `${key[0]}\0${key[1]}`;
  for (let at = 2; at < key.length; at++) name += `\0${key[at]}`;
  return name;
};

/** The committed rows of a table. @internal */
export interface TableRows {
  readonly table: Table;
  nameOf(row: AnyRow): KeyName;
  get(name: KeyName): AnyRow | undefined;
  /**
   * Replaces the row of a name; `undefined`: none.
   * @throws Error when a unique index has another such row; then nothing is changed.
   */
  set(name: KeyName, before: AnyRow | undefined, row: AnyRow | undefined): void;
  /** The row with the value of its identity column. */
  numbered(row: AnyRow): AnyRow;
  index(name: string): RowIndex;
  /** The name of the row that a range of an index may have: its prefix is a whole key. */
  nameIn(index: string, range: AnyRange): KeyName;
}

/** Creates the rows of a table. @internal */
export const createTableRows = (table: Table): TableRows => {
  const rows = new Map<KeyName, AnyRow>();
  const indexes = new Map(
    Object.entries(table.indexes).map(([name, index]) => [name, createRowIndex(table, index, rows)]),
  );
  const all = [...indexes.values()];
  const keyIndexes = new Set(
    Object.entries(table.indexes).flatMap(([name, { columns, where }]) =>
      !where && String(columns) === String(table.key) ? [name] : [],
    ),
  );
  const identity = Object.entries(table.columns).find(([, { type }]) => type === 'identity')?.[0];
  let last = 0;
  const [first = '', second, ...rest] = table.key;
  const nameOf = (row: AnyRow): KeyName => {
    if (second === undefined) return row[first];
    let name = `${row[first]}\0${row[second]}`;
    for (const each of rest) name += `\0${row[each]}`;
    return name;
  };
  const find = (index: string): RowIndex => {
    const found = indexes.get(index);
    if (!found) throw new TypeError(`${table.name}: there is no index ${index}.`);
    return found;
  };

  const set: TableRows['set'] = (name, before, row) => {
    if (before) for (const index of all) index.delete(before);
    const clash = row && all.findIndex((index) => !index.add(row));
    if (row && clash !== undefined && clash >= 0) {
      for (const index of all.slice(0, clash)) index.delete(row);
      if (before) for (const index of all) index.add(before);
      throw new Error(`${table.name}: another row has the same values of ${String(all[clash]?.columns)}.`);
    }
    if (row) rows.set(name, row);
    else rows.delete(name);
  };

  for (const row of (table.seed ?? []) as readonly AnyRow[]) set(nameOf(row), undefined, row);
  return {
    table,
    nameOf,
    get: (name) => rows.get(name),
    set,
    numbered: (row) => (identity === undefined ? row : { ...row, [identity]: ++last }),
    index: find,
    nameIn: (index, { prefix, from, after, to, before }) =>
      keyIndexes.has(index) && prefix.length === table.key.length && !from && !after && !to && !before
        ? nameOfKey(prefix)
        : undefined,
  };
};
