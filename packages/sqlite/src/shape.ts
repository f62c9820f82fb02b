import { type Column, type Dialect, quoted, type Table } from '@partnerkit/core/adapter';
import { fromSql, type SqlValue, toSql } from './values.ts';

/** How SQLite writes tables. Without rowid, bodies would lie in the tree of the keys. */
export const dialect: Dialect = {
  types: {
    text: 'text',
    json: 'text',
    number: 'real',
    integer: 'integer',
    flag: 'integer',
    identity: 'integer primary key autoincrement',
  },
  prefix: 'partnerkit_',
  isIdentityKey: true,
  suffix: ' strict',
};

/** A row, whatever its table. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** The statements and the columns of a table. */
export interface Shape {
  /** The table in SQL. */
  readonly name: string;
  readonly get: string;
  readonly delete: string;
  readonly insert: Readonly<Record<'fail' | 'ignore', string>>;
  readonly put: string;
  /** The values of a row, with the column that the store assigns or without. */
  bind(row: AnyRow, columns: 'all' | 'given'): SqlValue[];
  /** A row from the values of columns; all by default. */
  read(values: readonly unknown[], columns?: readonly string[]): AnyRow;
  /** The list of columns in SQL; all by default. */
  list(columns?: readonly string[]): string;
}

const makeShape = (table: Table): Shape => {
  const all = Object.entries(table.columns);
  const given = all.filter(([, { type }]) => type !== 'identity');
  const names = all.map(([name]) => name);
  const list = (columns: readonly string[] = names): string => columns.map(quoted).join(', ');
  const marks = (columns: readonly unknown[]): string => columns.map(() => '?').join(', ');
  const name = dialect.prefix + table.name;
  const key = list(table.key);
  const byKey = table.key.map((each) => `${quoted(each)} = ?`).join(' and ');
  const insert = `insert into ${name} (${list(given.map(([each]) => each))}) values (${marks(given)})`;
  const updates = given.map(([each]) => `${quoted(each)} = excluded.${quoted(each)}`).join(', ');
  return {
    name,
    list,
    get: `select ${list()} from ${name} where ${byKey}`,
    delete: `delete from ${name} where ${byKey}`,
    // Only the key is ignored: another row in a unique index is an error.
    insert: { fail: insert, ignore: `${insert} on conflict (${key}) do nothing` },
    put: `insert into ${name} (${list()}) values (${marks(all)}) on conflict (${key}) do update set ${updates}`,
    bind: (row, columns) =>
      (columns === 'all' ? all : given).map(([each, column]) => toSql(table, each, column, row[each])),
    read: (values, columns = names) => {
      const row: Record<string, unknown> = {};
      for (const [at, each] of columns.entries()) row[each] = fromSql(table.columns[each] as Column, values[at]);
      return row;
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
