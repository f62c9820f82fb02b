import type { FirstRows, ReportColumns, ReportRow, SqlReports, Table } from '@partnerkit/core/adapter';
import { numberLiteral, storedValue, textLiteral } from './literals.ts';
import { prefix } from './names.ts';
import { hintOf, limitOf, type Query } from './select.ts';
import { indexOf } from './shape.ts';

/**
 * Of each group, the server searches the first row, or reads all of them if its statistics say that they are few. It
 * searches only if the groups begin with the first column of the index.
 */
const firsts = ({ name, table, index, columns, least, limit }: FirstRows): string => {
  const { where } = indexOf(table, index);
  const part = where ? ` where ${where[0]} = ${textLiteral(where[1])}` : '';
  const groups = [...(where ? [where[0]] : []), ...columns].join(', ');
  return `${name} as (select ${columns.join(', ')}, min(${least}) as ${least}
    from ${prefix}${table.name} ${hintOf(table, index)}${part} group by ${groups} order by ${groups}${limitOf(limit)})`;
};

const tableAs = (table: Table, alias: string, index?: string): string =>
  `${prefix}${table.name} ${alias} ${index === undefined ? 'force index (primary)' : hintOf(table, index)}`;

/** A value of a result, as the type of its column says. */
const readAs = (row: Readonly<Record<string, unknown>>, name: string, type: 'text' | 'number'): unknown =>
  storedValue({ type, isOptional: true }, row, name);

/** Reports of MariaDB and MySQL. `now`: the time in SQL, in microseconds since 1970. */
export const mysqlReports = (query: Query, now: string): SqlReports => ({
  join: 'straight_join',
  literal: textLiteral,
  table: tableAs,
  // MariaDB evaluates an expression anew for each reference, unless it is recursive.
  once: (name, columns, select) =>
    `${name} as (${select} union all select ${columns.join(', ')} from ${name} where false)`,
  firsts,
  member: (json, name) => `json_value(convert(${json} using utf8mb4), '$.${name}')`,
  texts: (json) =>
    `json_table(convert(${json} using utf8mb4), '$[*]' columns (value varchar(1000) path '$')) each_text`,
  read: async <C extends ReportColumns>(text: string, values: readonly (number | 'now')[], columns: C) => {
    let at = 0;
    const written = text.replaceAll('?', () => {
      const value = values[at++] ?? 'now';
      return value === 'now' ? `(${now}) / 1000` : numberLiteral(value);
    });
    const rows = await query(`${written}${limitOf(Number.POSITIVE_INFINITY)}`);
    return rows.map(
      (row) =>
        Object.fromEntries(
          Object.entries(columns).map(([name, type]) => [name, readAs(row, name, type)]),
        ) as ReportRow<C>,
    );
  },
});
