import { type AnyRange, groupRanges, type ScanOptions, type Table, type TableIndex } from '@partnerkit/core/adapter';
import { conditionOf, orderOf } from './conditions.ts';
import { firstsOf, readFirstOfEach } from './firsts.ts';
import { numberOf } from './literals.ts';
import { bare, named } from './names.ts';
import { chunksOf, hintOf, limitOf, type Query, type Scan } from './select.ts';
import { type AnyRow, indexOf, isKey, nameOfKey, type Shape, shapeOf } from './shape.ts';

const infinity = Number.POSITIVE_INFINITY;

interface Part {
  readonly condition: string;
  readonly limit: number;
}

const selectOf = (
  { shape, name, index, columns, newestFirst, groups }: Scan,
  { condition, limit }: Part,
  mark = '',
): string =>
  `select ${mark}${shape.list(columns)} from ${shape.name} ${hintOf(shape.table, name)}` +
  `${condition === '' ? '' : ` where ${condition}`}${groups ? ` group by ${shape.list(groups.columns.map(bare))}` : ''}` +
  ` order by ${orderOf(groups ?? index, newestFirst)}${limitOf(limit)}`;

/** Ranges that differ in one number, in one condition: those of many shards. */
const partOfGroup = (scan: Scan, group: readonly AnyRange[], limit: number): Part | undefined => {
  const [first] = group as readonly [AnyRange, ...AnyRange[]];
  const own = group.length > 1 ? limit : Math.min(limit, first.limit ?? infinity);
  if (own <= 0) return undefined;
  const inGroup = (): string => {
    const last = first.prefix.length - 1;
    const column = bare(scan.index.columns[last] ?? '');
    return `${named(column)} in (${group.map(({ prefix }) => scan.shape.literal(column, prefix[last])).join(', ')})`;
  };
  const condition = conditionOf(scan.shape, scan.index, first, group.length > 1 ? inGroup() : undefined);
  return condition === undefined ? undefined : { condition, limit: own };
};

/** Whether each range is the key of one row. */
const areKeys = ({ shape: { table }, index }: Scan, ranges: readonly AnyRange[]): boolean =>
  isKey(table, index) &&
  ranges.every(
    ({ prefix, from, after, to, before, limit = 1 }) =>
      prefix.length === table.key.length && limit > 0 && !(from ?? after ?? to ?? before),
  );

/** Rows by their keys, in the order of the keys. */
export const readByKeys = async (
  query: Query,
  shape: Shape,
  keys: readonly (readonly unknown[])[],
  {
    columns = shape.all,
    index,
    more = '',
    lock = '',
  }: { columns?: readonly string[]; index?: string; more?: string; lock?: string } = {},
): Promise<readonly (AnyRow | undefined)[]> => {
  const found = new Map<string, AnyRow>();
  for (const part of chunksOf(keys)) {
    const from = shape.ofKeys(part, index);
    if (from === undefined) continue;
    for (const row of await query(`select ${shape.list(columns)}${more} from ${from}${limitOf(part.length)}${lock}`)) {
      const read = shape.read(row, columns);
      found.set(shape.keyOf(read), read);
    }
  }
  return keys.map((key) => found.get(nameOfKey(key)));
};

const readKeys = async (query: Query, scan: Scan, ranges: readonly AnyRange[]): Promise<readonly AnyRow[]> => {
  const { shape, columns } = scan;
  const all = [...new Set([...columns, ...shape.table.key])];
  const found = await readByKeys(
    query,
    shape,
    ranges.map(({ prefix }) => prefix),
    { columns: all },
  );
  const kept = found.filter((row) => row !== undefined);
  if (all.length === columns.length) return kept;
  return kept.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
};

const readParts = async (query: Query, scan: Scan, parts: readonly Part[]): Promise<readonly AnyRow[]> => {
  const { shape, columns } = scan;
  const [only] = parts;
  if (only && parts.length === 1) return (await query(selectOf(scan, only))).map((row) => shape.read(row, columns));
  const found: AnyRow[][] = parts.map(() => []);
  const selects = parts.map(
    ({ condition, limit }, at) => `(${selectOf(scan, { condition, limit }, `${at} as part, `)})`,
  );
  for (const row of await query(selects.join(' union all ') + limitOf(infinity)))
    found[numberOf(row, 'part')]?.push(shape.read(row, columns));
  return found.flat();
};

/** The rest of a range after the rows with the values of this row in the first columns of the index. */
const afterGroup = (
  index: TableIndex,
  range: AnyRange,
  row: AnyRow,
  { columns, newestFirst }: { readonly columns: number; readonly newestFirst: boolean },
): AnyRange => {
  const values = index.columns.slice(range.prefix.length, columns).map((name) => row[bare(name)]);
  return { ...range, [newestFirst ? 'before' : 'after']: values };
};

/** The first row of each group, each by a statement of its own. */
const readFirsts = async (
  query: Query,
  scan: Scan,
  range: AnyRange,
  { distinct, limit }: { readonly distinct: number; readonly limit: number },
) => {
  const { shape, index, columns, newestFirst } = scan;
  const wide = { ...scan, columns: shape.all };
  const found: AnyRow[] = [];
  let rest = range;
  while (found.length < limit) {
    const condition = conditionOf(shape, index, rest);
    const [row] = condition === undefined ? [] : await readParts(query, wide, [{ condition, limit: 1 }]);
    if (!row) break;
    found.push(row);
    if (range.prefix.length >= distinct) break;
    rest = afterGroup(index, rest, row, { columns: distinct, newestFirst });
  }
  return found.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
};

/** Reads rows of ranges: in the order of the ranges, then of the index. */
export const scanRanges = async (
  query: Query,
  { table, name }: { readonly table: Table; readonly name: string },
  ranges: readonly AnyRange[],
  { limit = infinity, newestFirst = false, columns, distinct }: ScanOptions,
): Promise<readonly AnyRow[]> => {
  const shape = shapeOf(table);
  const index = indexOf(table, name);
  const scan: Scan = { shape, name, index, columns: columns ?? shape.all, newestFirst };
  const found: AnyRow[] = [];
  const groups = distinct === undefined ? undefined : { columns: index.columns.slice(0, distinct) };
  const isGrouped = groups !== undefined && scan.columns.every((each) => groups.columns.map(bare).includes(each));
  if (distinct !== undefined && !isGrouped) {
    for (const range of ranges) {
      const most = Math.min(limit - found.length, range.limit ?? infinity);
      found.push(...(await readFirsts(query, scan, range, { distinct, limit: most })));
    }
    return found;
  }
  if (!groups && ranges.length > 1 && areKeys(scan, ranges))
    return (await readKeys(query, scan, ranges)).slice(0, limit);
  const firsts = groups ? undefined : firstsOf(scan, ranges);
  if (firsts) return (await readFirstOfEach(query, scan, ranges, firsts)).slice(0, limit);
  const own = groups ? { ...scan, groups } : scan;
  const together = groups ? ranges.map((range) => [range]) : groupRanges(ranges, { limit, newestFirst });
  const parts = together.map((each) => partOfGroup(own, each, limit)).filter((part) => part !== undefined);
  for (const chunk of chunksOf(parts)) {
    if (chunk.length === 0 || found.length >= limit) break;
    for (const row of await readParts(query, own, chunk)) found.push(row);
  }
  return found.length > limit ? found.slice(0, limit) : found;
};

/** Counts the rows of each range, up to its limit. */
export const countRanges = async (
  query: Query,
  table: Table,
  name: string,
  ranges: readonly AnyRange[],
): Promise<readonly number[]> => {
  const shape = shapeOf(table);
  const index = indexOf(table, name);
  const counts = ranges.map(() => 0);
  const selects = ranges.flatMap((range, at) => {
    const condition = conditionOf(shape, index, range);
    if (condition === undefined) return [];
    const where = condition === '' ? '' : ` where ${condition}`;
    const limit = range.limit === undefined ? '' : limitOf(range.limit);
    const counted = `select 1 from ${shape.name} ${hintOf(table, name)}${where}${limit}`;
    return [`select ${at} as part, count(*) as rows_found from (${counted}) part_${at}`];
  });
  for (const chunk of chunksOf(selects))
    if (chunk.length > 0)
      for (const row of await query(chunk.join(' union all ') + limitOf(infinity)))
        counts[numberOf(row, 'part')] = numberOf(row, 'rows_found');
  return counts;
};
