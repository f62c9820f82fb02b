import { type Column, quoted, type Table } from '@partnerkit/core/adapter';
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

/** A table in SQL, with its statements. Their rows are one parameter of JSON, `$1`. */
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
  readonly insert: string;
  readonly insertUnknown: string;
  readonly put: string;
  /** Rows as the parameter. */
  rows(rows: readonly AnyRow[], columns: readonly string[]): string;
  /** A row of a result. */
  read(row: AnyRow, columns?: readonly string[]): AnyRow;
  /** Adds rows. `value`: the SQL of a column that is not in the parameter `$place`. */
  insertOf(columns: readonly string[], place?: number, value?: Readonly<Record<string, string>>): string;
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
  const insertOf: Shape['insertOf'] = (columns, place = 1, value = {}) => {
    const bound = columns.filter((each) => value[each] === undefined);
    const values = columns.map((each) => value[each] ?? `k.${quoted(each)}`).join(', ');
    return `insert into ${name} (${columnsOf(columns)}) select ${values} from ${records(bound, place)} order by k.nth`;
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
    insert: insertOf(given),
    insertUnknown: `${insertOf(given)} ${onKey} nothing returning ${listOf(table.key, '')}`,
    put: `${insertOf(all)} ${onKey} ${updates === '' ? 'nothing' : `update set ${updates}`}`,
    insertOf,
    rows: (rows, columns) =>
      JSON.stringify(
        rows.map((row, nth) => ({
          nth,
          ...Object.fromEntries(columns.map((each) => [quoted(each).slice(1, -1), toJson(typeOf(each), row[each])])),
        })),
      ),
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
