/**
 * A column of a table.
 *
 * - `text`: well-formed text without NUL, ordered by its UTF-8 bytes.
 * - `number`: a 64-bit floating-point number; may be infinite.
 * - `integer`: a safe integer.
 * - `json`: a value that JSON preserves.
 * - `identity`: a safe integer that the store assigns; later rows have larger ones, in the order of an `insert`. Rows
 *   of a table with one in its key are inserted with `fail`.
 * @public
 */
export interface Column<T = unknown, Optional extends boolean = boolean> {
  /** What it holds. */
  readonly type: 'text' | 'number' | 'integer' | 'flag' | 'json' | 'identity';
  /** Whether a row may have no value. */
  readonly isOptional: Optional;
  /** Exists only in the type. */
  readonly value?: T;
}

const columnOf = <T>(type: Column['type']): Column<T, false> => ({ type, isOptional: false });

/** A column of text. */
export const text = <T extends string = string>(): Column<T, false> => columnOf('text');
/** A column of numbers. */
export const number = (): Column<number, false> => columnOf('number');
/** A column of integers. */
export const integer = (): Column<number, false> => columnOf('integer');
/** A column of booleans. */
export const flag = (): Column<boolean, false> => columnOf('flag');
/** A column of JSON. */
export const json = <T>(): Column<T, false> => columnOf('json');
/** A column that the store assigns. */
export const identity = (): Column<number, false> & { readonly type: 'identity' } => ({
  type: 'identity',
  isOptional: false,
});
/** The column, in which a row may have no value. */
export const optional = <T>({ type }: Column<T, false>): Column<T | undefined, true> => ({ type, isOptional: true });

/**
 * The columns of a table, by the type of their values. A row has a value in each, unless it is `optional`.
 * @example
 * const notes = table({
 *   name: 'notes',
 *   columns: { id: column.text(), text: column.optional(column.text()) },
 *   key: ['id'],
 *   indexes: {},
 * });
 * @public
 */
export const column = { text, number, integer, flag, json, identity, optional };

/**
 * An index of a table.
 * @public
 */
export interface TableIndex {
  /** Its columns in order, with `-` before a descending one. Rows without a value in one of them are not in it. */
  readonly columns: readonly string[];
  /** Whether no two rows may agree in all columns. @defaultValue false */
  readonly isUnique?: boolean;
  /** Only rows with this value of a column of text are in it. @defaultValue all rows */
  readonly where?: readonly [column: string, value: string];
}

/**
 * A table as data: a store makes its tables and its statements from it.
 * @public
 */
export interface Table {
  /** Its name, in lower case. */
  readonly name: string;
  /** Its columns, by their names in camel case. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** Its indexes, by name. */
  readonly indexes: Readonly<Record<string, TableIndex>>;
  /** The rows that it begins with. @defaultValue none */
  readonly seed?: readonly object[];
  /** Whether its rows are locked with `keep`, for which some databases need an index. @defaultValue false */
  readonly isKept?: boolean;
}

type ValueOf<C> = C extends Column<infer T> ? T : never;

/**
 * A row of a table.
 * @public
 */
export type RowOf<T extends Table> = { readonly [K in keyof T['columns']]: ValueOf<T['columns'][K]> };

type IdentityOf<T extends Table> = {
  [K in keyof T['columns']]: T['columns'][K] extends { readonly type: 'identity' } ? K : never;
}[keyof T['columns']];

/**
 * A row to insert: without the column that the store assigns.
 * @public
 */
export type NewRowOf<T extends Table> = Omit<RowOf<T>, IdentityOf<T>>;

/**
 * The name of an index.
 * @public
 */
export type IndexOf<T extends Table> = keyof T['indexes'] & string;

type Bare<Name> = Name extends `-${infer Rest}` ? Rest : Name;
type ValuesOf<T extends Table, Names extends readonly string[]> = {
  readonly [K in keyof Names]: Exclude<RowOf<T>[Bare<Names[K]> & keyof T['columns']], undefined>;
};

/**
 * The key of a row: the values of its key columns.
 * @public
 */
export type KeyOf<T extends Table> = ValuesOf<T, T['key']>;

type PrefixOf<V extends readonly unknown[]> = V extends readonly [infer First, ...infer Rest]
  ? readonly [First] | readonly [First, ...PrefixOf<Rest>]
  : never;

interface Bounds<P> {
  /** Rows from here on. Compares as many columns as it has. */
  readonly from?: P | undefined;
  /** Rows after this. */
  readonly after?: P | undefined;
  /** Rows up to this, included. */
  readonly to?: P | undefined;
  /** Rows before this. */
  readonly before?: P | undefined;
  /** Maximum number of rows of this range. */
  readonly limit?: number | undefined;
}

type Split<P extends readonly unknown[], Rest extends readonly unknown[]> =
  | ({ readonly prefix: P } & Bounds<PrefixOf<Rest>>)
  | (Rest extends readonly [infer First, ...infer More] ? Split<readonly [...P, First], More> : never);

/**
 * A range of an index: rows with the values of `prefix` in its first columns, between bounds of the columns after them.
 * A descending column has no bounds.
 * @public
 */
export type RangeOf<T extends Table, I extends IndexOf<T>> = Split<
  readonly [],
  ValuesOf<T, T['indexes'][I]['columns']>
>;

/**
 * Defines a table, with the names of its columns and indexes in its type. It returns what it is given.
 * @example
 * const notes = table({ name: 'notes', columns: { id: column.text() }, key: ['id'], indexes: {} });
 * @public
 */
export const table = <const T extends Table>(definition: T): T => definition;
