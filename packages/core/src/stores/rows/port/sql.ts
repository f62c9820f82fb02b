import type { Column, Table, TableIndex } from './table.ts';

/**
 * What a dialect of SQL writes in its own way.
 * @public
 */
export interface Dialect {
  /** The types of columns. */
  readonly types: Readonly<Record<Column['type'], string>>;
  /** Before the name of each table and index, such as a schema or the beginning of a name. */
  readonly prefix: string;
  /** Whether the identity column, if there is one, is the primary key. */
  readonly isIdentityKey: boolean;
  /** After the columns of a table. */
  readonly suffix: string;
}

const quotedNames = new Map<string, string>();

/**
 * The name of a column in SQL, quoted: some are keywords.
 * @example
 * quoted('accountId'); // '"account_id"'
 * @public
 */
export const quoted = (name: string): string => {
  const known = quotedNames.get(name) ?? `"${name.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`)}"`;
  quotedNames.set(name, known);
  return known;
};

const bare = (name: string): string => (name.startsWith('-') ? name.slice(1) : name);
const isDescending = (name: string): boolean => name.startsWith('-');
const textOf = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** The condition for which rows are in an index; empty for all. */
const partOf = ({ columns }: Table, { columns: names, where }: TableIndex): string =>
  [
    ...(where ? [`${quoted(where[0])} = ${textOf(where[1])}`] : []),
    ...names
      .map(bare)
      .filter((name) => columns[name]?.isOptional)
      .map((name) => `${quoted(name)} is not null`),
  ].join(' and ');

/** Whether the key serves as this index. */
const isKey = (table: Table, { columns, where }: TableIndex): boolean =>
  !where && String(columns) === String(table.key);

/**
 * The statements that create a table and its indexes.
 * @example
 * const numbers = { number: 'real', integer: 'integer', flag: 'integer', identity: 'integer' };
 * const types = { ...numbers, text: 'text', json: 'text' };
 * for (const each of Object.values(rowTables))
 *   for (const statement of ddlOf(each, { types, prefix: 'partnerkit_', isIdentityKey: true, suffix: '' }))
 *     console.log(statement);
 * @public
 */
export const ddlOf = (table: Table, { types, prefix, isIdentityKey, suffix }: Dialect): readonly string[] => {
  const columns = Object.entries(table.columns);
  const hasOwnKey = isIdentityKey && columns.some(([, { type }]) => type === 'identity');
  const lines = [
    ...columns.map(
      ([name, { type, isOptional }]) =>
        `${quoted(name)} ${types[type]}${isOptional || type === 'identity' ? '' : ' not null'}`,
    ),
    `${hasOwnKey ? 'unique' : 'primary key'} (${table.key.map(quoted).join(', ')})`,
  ];
  const indexes = Object.entries(table.indexes).filter(([, index]) => !isKey(table, index));
  return [
    `create table ${prefix}${table.name} (\n  ${lines.join(',\n  ')}\n)${suffix}`,
    ...indexes.map(([name, index]) => {
      const list = index.columns.map((each) => quoted(bare(each)) + (isDescending(each) ? ' desc' : '')).join(', ');
      const part = partOf(table, index);
      return `create ${index.isUnique ? 'unique ' : ''}index ${prefix}${table.name}_${name} on ${prefix}${table.name} (${list})${
        part === '' ? '' : ` where ${part}`
      }`;
    }),
  ];
};

/** A range, whatever its table. @public */
export interface AnyRange {
  /** The values of the first columns. */
  readonly prefix: readonly unknown[];
  /** See {@link RangeOf}. */
  readonly from?: readonly unknown[] | undefined;
  /** See {@link RangeOf}. */
  readonly after?: readonly unknown[] | undefined;
  /** See {@link RangeOf}. */
  readonly to?: readonly unknown[] | undefined;
  /** See {@link RangeOf}. */
  readonly before?: readonly unknown[] | undefined;
  /** See {@link RangeOf}. */
  readonly limit?: number | undefined;
}

/** A part of a statement, with its values. @public */
export interface Condition {
  /** The text, with `?` for each value. */
  readonly sql: string;
  /** The values, in order. */
  readonly values: readonly unknown[];
}

const signs = { from: '>=', after: '>', to: '<=', before: '<' } as const;

/**
 * The condition of a range: equal columns, then row values, for which a database uses the index.
 * @example
 * const scan = (table: Table, index: TableIndex) =>
 *   `select * from ${table.name}${conditionOf(table, index, { prefix: [] }).sql} order by ${orderOf(index, false)}`;
 * @public
 */
export const conditionOf = (table: Table, index: TableIndex, range: AnyRange): Condition => {
  const names = index.columns.map((each) => quoted(bare(each)));
  const start = range.prefix.length;
  const parts = range.prefix.map((_, at) => `${names[at]} = ?`);
  const values = [...range.prefix];
  for (const [bound, sign] of Object.entries(signs)) {
    const limits = range[bound as keyof typeof signs];
    if (!limits) continue;
    const compared = names.slice(start, start + limits.length);
    if (index.columns.slice(start, start + limits.length).some(isDescending))
      throw new TypeError(`${table.name}: a descending column has no bounds.`);
    parts.push(
      limits.length === 1
        ? `${compared[0]} ${sign} ?`
        : `(${compared.join(', ')}) ${sign} (${limits.map(() => '?').join(', ')})`,
    );
    values.push(...limits);
  }
  const part = partOf(table, index);
  const all = [...(part === '' ? [] : [part]), ...parts];
  return { sql: all.length === 0 ? '' : ` where ${all.join(' and ')}`, values };
};

/**
 * The order of an index, from its beginning or its end.
 * @example
 * orderOf({ columns: ['account', '-id'] }, false); // '"account", "id" desc'
 * @public
 */
export const orderOf = ({ columns }: TableIndex, newestFirst: boolean): string =>
  columns.map((each) => quoted(bare(each)) + (isDescending(each) === newestFirst ? '' : ' desc')).join(', ');
