import type { Column, Table, TableIndex } from '@partnerkit/core/adapter';
import type { SqlRow } from '../drivers/driver.ts';
import { isStorable, literalOf, storedValue } from './literals.ts';
import { bare, named, nameInResult, prefix } from './names.ts';

/** A row, whatever its table. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** Keys of rows, whatever their table. */
export type Keys = readonly (readonly unknown[])[];

/** What InnoDB takes as the key of an index, in bytes. */
const maxKeyBytes = 3072;
/** More than any text that core stores in an index: a key of a receiver has 600 characters. */
const maxWidth = 2000;
const fixedBytes = 9;

const isText = ({ columns }: Table, name: string): boolean => columns[name]?.type === 'text';

/** How many bytes a text may have, so that each of its indexes can be made; `undefined` if it is in none. */
const widthOf = (table: Table, name: string): number | undefined => {
  const indexes = [
    table.key,
    ...Object.values(table.indexes).map(({ columns, where }) => [...(where ? [where[0]] : []), ...columns.map(bare)]),
  ].filter((columns) => columns.includes(name));
  if (indexes.length === 0) return undefined;
  return Math.min(
    maxWidth,
    ...indexes.map((columns) => {
      const texts = columns.filter((each) => isText(table, each)).length;
      return Math.floor((maxKeyBytes - fixedBytes * (columns.length - texts)) / texts) - 2;
    }),
  );
};

/** A table in SQL. */
export interface Shape {
  readonly table: Table;
  /** Its name. */
  readonly name: string;
  /** Its columns that the store does not assign. */
  readonly given: readonly string[];
  /** All columns. */
  readonly all: readonly string[];
  /** Unique indexes besides the key and the identity. */
  readonly hasUniqueIndex: boolean;
  /** How many bytes a text may have; absent: any number. */
  readonly widths: Readonly<Record<string, number>>;
  /** A list of columns. */
  list(columns: readonly string[]): string;
  /** Columns of a row in parentheses. */
  values(row: AnyRow, columns: readonly string[]): string;
  /** A value of a bound or key. */
  literal(name: string, value: unknown): string;
  /** The condition of a key. */
  byKey(key: readonly unknown[]): string;
  /**
   * The table as `t`, with the rows of some keys; `undefined` if none of them can be stored.
   *
   * Several keys are joined: of a list of them, the database may read the whole table, and wait for each locked row.
   * @param index - The index to use. @defaultValue the key
   */
  ofKeys(keys: Keys, index?: string): string | undefined;
  /** A name of the key of a row. */
  keyOf(row: AnyRow): string;
  /** A value of a column, which a row has under a name. */
  value(column: string, row: SqlRow, name: string): unknown;
  /** A row of a result. */
  read(row: AnyRow, columns: readonly string[]): AnyRow;
}

/** A name of values of a key. No stored text has NUL. */
export const nameOfKey = (key: readonly unknown[]): string => key.join('\0');

const isNumeric = ({ type }: Column): boolean => type === 'integer' || type === 'identity' || type === 'number';

/** Rows of values in SQL as the table `k`, with the columns `k0`, `k1` and so on. */
export const tableOf = (rows: readonly (readonly string[])[]): string => {
  const [first = [], ...more] = rows;
  const named = first.map((value, at) => `${value} as k${at}`);
  return `(${[named, ...more].map((values) => `select ${values.join(', ')}`).join(' union all ')}) k`;
};

const makeShape = (table: Table): Shape => {
  const all = Object.keys(table.columns);
  const given = all.filter((name) => table.columns[name]?.type !== 'identity');
  const columnOf = (name: string): Column => {
    const found = table.columns[name];
    if (!found) throw new TypeError(`${table.name}: there is no column ${name}.`);
    return found;
  };
  const widths = Object.fromEntries(
    all
      .filter((name) => isText(table, name))
      .map((name) => [name, widthOf(table, name)] as const)
      .filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
  const list = (columns: readonly string[]): string => columns.map(named).join(', ');
  const literal = (name: string, value: unknown): string => {
    const column = columnOf(name);
    // A bound need not be a value that the column can have.
    const compared =
      isNumeric(column) && !Number.isSafeInteger(value) ? ({ ...column, type: 'number' } as const) : column;
    return literalOf({ table, name, type: compared.type }, value);
  };
  const byKey = (key: readonly unknown[]): string =>
    key.map((value, at) => `${named(table.key[at] ?? '')} = ${literal(table.key[at] ?? '', value)}`).join(' and ');
  return {
    table,
    name: `${prefix}${table.name}`,
    given,
    all,
    widths,
    hasUniqueIndex: Object.values(table.indexes).some(({ isUnique }) => isUnique),
    list,
    literal,
    values: (row, columns) =>
      `(${columns.map((name) => literalOf({ table, name, type: columnOf(name).type, width: widths[name] }, row[name])).join(', ')})`,
    byKey,
    ofKeys: (keys, index = 'primary') => {
      // No row has a text that cannot be stored; as bytes, it could be another one.
      const [first, ...more] = keys.filter((each) => each.every(isStorable));
      if (!first) return undefined;
      const own = `${prefix}${table.name} t force index (${index})`;
      if (more.length === 0) return `${own} where ${byKey(first)}`;
      const rows = [first, ...more].map((each) => each.map((value, at) => literal(table.key[at] ?? '', value)));
      const joined = table.key.map((name, at) => `t.${named(name)} = k${at}`).join(' and ');
      return `${tableOf(rows)} straight_join ${own} on ${joined}`;
    },
    keyOf: (row) => nameOfKey(table.key.map((name) => row[name])),
    value: (column, row, name) => storedValue(columnOf(column), row, name),
    read: (row, columns) => {
      const read: Record<string, unknown> = {};
      for (const name of columns) read[name] = storedValue(columnOf(name), row, nameInResult(name));
      return read;
    },
  };
};

const shapes = new WeakMap<Table, Shape>();

/** The shape of a table, made once. */
export const shapeOf = (table: Table): Shape => {
  const known = shapes.get(table) ?? makeShape(table);
  shapes.set(table, known);
  return known;
};

/** An index of a table, or its key. */
export const indexOf = (table: Table, name: string): TableIndex => {
  const found = table.indexes[name];
  if (!found) throw new TypeError(`${table.name}: there is no index ${name}.`);
  return found;
};

/** Whether the key serves as this index. */
export const isKey = (table: Table, { columns, where }: TableIndex): boolean =>
  !where && String(columns) === String(table.key);
