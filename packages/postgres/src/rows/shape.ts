import { type Column, quoted, type Table } from '@partnerkit/core/adapter';
import type { SqlValue } from '../drivers/driver.ts';
import { fromSql, parameterTypes, selected, toJson } from './values.ts';

/** A row, whatever its table. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** A column of a table. */
export const columnOf = (table: Table, name: string): Column => {
  const found = table.columns[name];
  if (!found) throw new TypeError(`${table.name}: there is no column ${name}.`);
  return found;
};

/** Columns of a result have one word each: hosts change the case of names. */
const inResult = (at: number): string => `c${at}`;

/** A statement with its parameters. */
type Bound = readonly [text: string, values: readonly SqlValue[]];

/** Values of columns in SQL that are no parameters. */
type Computed = Readonly<Record<string, string>>;

/**
 * A table in SQL, with its statements. Rows are one parameter of JSON, `$1`. A single new row has a parameter for each
 * column instead: Citus leaves that statement to the node of the table.
 */
export interface Shape {
  readonly table: Table;
  /** The name, with its schema. */
  readonly name: string;
  /** All columns. */
  readonly all: readonly string[];
  /** The columns that the server does not assign. */
  readonly given: readonly string[];
  /** All columns of `of` in a result. */
  list(of: string): string;
  /** Reads the rows of keys; `lock` follows the statement. */
  get(lock: string): string;
  readonly delete: string;
  /** Adds rows. `computed`: columns that are no parameters. */
  insert(rows: readonly AnyRow[], computed?: Computed): Bound;
  insertUnknown(rows: readonly AnyRow[]): Bound;
  put(rows: readonly AnyRow[]): Bound;
  /** Rows as the parameter. */
  rows(rows: readonly AnyRow[], columns: readonly string[]): string;
  /** A row of a result. */
  read(row: AnyRow, columns?: readonly string[]): AnyRow;
  /** Adds several rows. `computed`: columns that are not in the parameter `$place`. */
  insertOf(columns: readonly string[], place?: number, computed?: Computed): string;
}

const makeShape = (table: Table, schema: string): Shape => {
  const all = Object.keys(table.columns);
  const given = all.filter((name) => columnOf(table, name).type !== 'identity');
  const name = `"${schema}".${table.name}`;
  const typeOf = (column: string): Column['type'] => columnOf(table, column).type;
  const columnsOf = (columns: readonly string[]): string => columns.map(quoted).join(', ');
  /** Records of a parameter, as the table `k` with their places. */
  const records = (columns: readonly string[], place: number): string =>
    `json_to_recordset($${place}::json) as k(nth int, ${columns
      .map((each) => `${quoted(each)} ${parameterTypes[typeOf(each)]}`)
      .join(', ')})`;
  const listOf = (columns: readonly string[], of: string): string =>
    columns
      .map((each) => `${selected(typeOf(each), `${of}${quoted(each)}`)} as ${inResult(all.indexOf(each))}`)
      .join(', ');
  const insertInto = (columns: readonly string[]): string => `insert into ${name} (${columnsOf(columns)})`;
  const insertOf: Shape['insertOf'] = (columns, place = 1, computed = {}) => {
    const bound = columns.filter((each) => computed[each] === undefined);
    const values = columns.map((each) => computed[each] ?? `k.${quoted(each)}`).join(', ');
    return `${insertInto(columns)} select ${values} from ${records(bound, place)} order by k.nth`;
  };
  const rowsOf: Shape['rows'] = (rows, columns) =>
    JSON.stringify(
      rows.map((row, nth) => ({
        nth,
        ...Object.fromEntries(columns.map((each) => [quoted(each).slice(1, -1), toJson(typeOf(each), row[each])])),
      })),
    );
  /** Inserts rows; `end` follows the statement. */
  const inserted = (rows: readonly AnyRow[], columns: readonly string[], end = '', computed: Computed = {}): Bound => {
    const bound = columns.filter((each) => computed[each] === undefined);
    const [row] = rows;
    if (row === undefined || rows.length > 1) return [insertOf(columns, 1, computed) + end, [rowsOf(rows, bound)]];
    const values = columns.map(
      (each) => computed[each] ?? `$${bound.indexOf(each) + 1}::${parameterTypes[typeOf(each)]}`,
    );
    return [
      `${insertInto(columns)} values (${values.join(', ')})${end}`,
      bound.map((each) => toJson(typeOf(each), row[each]) as SqlValue),
    ];
  };
  const sameKey = table.key.map((each) => `t.${quoted(each)} = k.${quoted(each)}`).join(' and ');
  const onKey = `on conflict (${columnsOf(table.key)}) do`;
  const updates = given
    .filter((each) => !table.key.includes(each))
    .map((each) => `${quoted(each)} = excluded.${quoted(each)}`)
    .join(', ');
  return {
    table,
    name,
    all,
    given,
    list: (of) => listOf(all, `${of}.`),
    get: (lock) =>
      `select k.nth as nth, ${listOf(all, 't.')} from ${records(table.key, 1)} join ${name} t on ${sameKey} order by k.nth${lock}`,
    delete: `delete from ${name} t using ${records(table.key, 1)} where ${sameKey}`,
    insert: (rows, computed) => inserted(rows, given, '', computed),
    insertUnknown: (rows) => inserted(rows, given, ` ${onKey} nothing returning ${listOf(table.key, '')}`),
    put: (rows) => inserted(rows, all, ` ${onKey} ${updates === '' ? 'nothing' : `update set ${updates}`}`),
    insertOf,
    rows: rowsOf,
    read: (row, columns = all) =>
      Object.fromEntries(columns.map((each) => [each, fromSql(typeOf(each), row[inResult(all.indexOf(each))])])),
  };
};

/** The shapes of the tables in a schema, each made once. */
export const shapesIn = (schema: string): ((table: Table) => Shape) => {
  const shapes = new WeakMap<Table, Shape>();
  return (table) => {
    const known = shapes.get(table) ?? makeShape(table, schema);
    shapes.set(table, known);
    return known;
  };
};
