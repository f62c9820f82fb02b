import type { Column, Table } from '@partnerkit/core/adapter';
import { bare, isDescending, keptIndex, named, touched } from './names.ts';
import { type AnyRow, isKey, shapeOf } from './shape.ts';

const types: Readonly<Record<Exclude<Column['type'], 'text'>, string>> = {
  // Bytes: the database does not write them anew.
  json: 'longblob',
  number: 'double',
  integer: 'bigint',
  flag: 'tinyint',
  identity: 'bigint',
};

/** The columns of a table and its indexes. An index of some rows begins with the column that says which. */
const linesOf = (table: Table): readonly string[] => {
  const { widths } = shapeOf(table);
  const columns = Object.entries(table.columns).map(([name, { type, isOptional }]) => {
    const width = widths[name];
    const sqlType = type !== 'text' ? types[type] : width === undefined ? 'longblob' : `varbinary(${width})`;
    return `${named(name)} ${sqlType}${isOptional ? '' : ' not null'}${type === 'identity' ? ' auto_increment' : ''}`;
  });
  const identity = Object.keys(table.columns).filter((name) => table.columns[name]?.type === 'identity');
  const indexes = Object.entries(table.indexes)
    .filter(([, index]) => !isKey(table, index))
    .filter(
      ([
        ,
        {
          columns: [first, ...more],
        },
      ]) => more.length > 0 || !identity.includes(first ?? ''),
    );
  return [
    ...columns,
    `${touched} tinyint unsigned not null default 0`,
    `primary key (${table.key.map(named).join(', ')})`,
    ...identity.map((name) => `unique key ${named(name)} (${named(name)})`),
    ...(table.isKept ? [`key ${named(keptIndex)} (${table.key.map(named).join(', ')})`] : []),
    ...indexes.map(([name, { columns: names, isUnique, where }]) => {
      const list = names.map((each) => named(bare(each)) + (isDescending(each) ? ' desc' : ''));
      return `${isUnique ? 'unique ' : ''}key ${named(name)} (${[...(where ? [named(where[0])] : []), ...list].join(', ')})`;
    }),
  ];
};

/**
 * The statement that creates a table, and one that adds the rows that it begins with. Each may run again: after a crash
 * nobody knows whether it did.
 */
export const ddlOf = (table: Table): readonly string[] => {
  const { name, given, list, values } = shapeOf(table);
  const seed = (table.seed ?? []) as readonly AnyRow[];
  return [
    `create table if not exists ${name} (\n  ${linesOf(table).join(',\n  ')}\n) engine=innodb row_format=dynamic`,
    ...(seed.length === 0
      ? []
      : [
          `insert into ${name} (${list(given)}) values\n  ${seed
            .map((row) => values(row, given))
            .join(',\n  ')}\non duplicate key update ${touched} = ${touched}`,
        ]),
  ];
};
