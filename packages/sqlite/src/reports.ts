import {
  type Clock,
  type FirstRows,
  type ReportColumns,
  type ReportRow,
  type SqlReports,
  yieldingOf,
} from '@partnerkit/core/adapter';
import type { Connection } from './connection.ts';
import { dialect } from './shape.ts';

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Each step finds the first row of the next group by a search in the index. */
const firsts = ({ name, table, index, columns, least, limit }: FirstRows): string => {
  const from = `${dialect.prefix}${table.name}`;
  const where = table.indexes[index]?.where;
  const part = where ? `t.${where[0]} = ${literal(where[1])} and ` : '';
  const of = (alias: string): string => columns.map((column) => `${alias}.${column}`).join(', ');
  // The sign makes expressions of columns: SQLite compares texts of two columns by the first column of the index alone.
  const after = columns.map((column) => `+b.${column}`).join(', ');
  const first = (condition: string): string =>
    `(select t.rowid from ${from} t where ${part}${condition} order by ${of('t')}, t.${least} limit 1)`;
  return `${name}_found(nth, place) as (
      select 1, ${first('true')}
      union all
      select f.nth + 1, ${first(`(${of('t')}) > (${after})`)}
      from ${name}_found f cross join ${from} b on b.rowid = f.place where f.nth < ${limit}
    ), ${name} as (
      select ${of('t')}, t.${least} from ${name}_found f cross join ${from} t on t.rowid = f.place
    )`;
};

/** Reports of SQLite. Each statement blocks the process until it ends; timers and I/O run before it. */
export const sqliteReports = (
  { prepared }: Connection,
  clock: Clock,
  patiently: <T>(call: () => T) => Promise<T>,
): SqlReports => {
  const yielding = yieldingOf(clock);
  return {
    join: 'cross join',
    literal,
    table: ({ name }, alias) => `${dialect.prefix}${name} ${alias}`,
    once: (name, _, select) => `${name} as materialized (${select})`,
    firsts,
    member: (json, name) => `json_extract(${json}, '$.${name}')`,
    texts: (json) => `json_each(${json}) each_text`,
    read: async <C extends ReportColumns>(text: string, values: readonly (number | 'now')[], columns: C) => {
      await yielding.due();
      const bound = values.map((value) => (value === 'now' ? clock.now() : value));
      const names = Object.keys(columns);
      const rows = await patiently(() => prepared(text).all(...bound));
      return rows.map(
        (row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? undefined])) as ReportRow<C>,
      );
    },
  };
};
