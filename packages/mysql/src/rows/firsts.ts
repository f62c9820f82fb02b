import type { AnyRange } from '@partnerkit/core/adapter';
import { orderOf, partOf } from './conditions.ts';
import { isStorable, numberOf } from './literals.ts';
import { bare, named } from './names.ts';
import { chunksOf, hintOf, limitOf, type Query, type Scan } from './select.ts';
import { type AnyRow, tableOf } from './shape.ts';

/** What is read of the first row of each range. */
interface Wanted {
  /** The columns of the prefixes. */
  readonly prefix: readonly string[];
  /** A column besides them. */
  readonly column?: string;
}

/** What a scan reads if it reads one row of each prefix, and at most one column besides; else `undefined`. */
export const firstsOf = (
  { shape: { table }, index, columns }: Scan,
  ranges: readonly AnyRange[],
): Wanted | undefined => {
  const length = ranges[0]?.prefix.length ?? 0;
  const areFirsts = ranges.every(
    ({ prefix, from, after, to, before, limit }) =>
      limit === 1 && prefix.length === length && !(from ?? after ?? to ?? before),
  );
  if (!areFirsts || length === 0 || ranges.length < 2) return undefined;
  const prefix = index.columns.slice(0, length).map(bare);
  const [column, ...more] = columns.filter((name) => !prefix.includes(name));
  if (column === undefined) return { prefix };
  return more.length > 0 || table.columns[column]?.isOptional ? undefined : { prefix, column };
};

/**
 * Reads the first row of each range, by a search in one subquery. The server plans each select of a union, which costs
 * several times the search.
 */
export const readFirstOfEach = async (
  query: Query,
  { shape, name, index, newestFirst }: Scan,
  ranges: readonly AnyRange[],
  { prefix: names, column }: Wanted,
): Promise<readonly AnyRow[]> => {
  const rest = { columns: index.columns.slice(names.length) };
  const conditions = [...partOf(shape, index), ...names.map((each, at) => `${named(each)} = k${at}`)].join(' and ');
  const order = rest.columns.length === 0 ? '' : ` order by ${orderOf(rest, newestFirst)}`;
  const wanted = column === undefined ? '1' : named(column);
  const first = `select ${wanted} from ${shape.name} ${hintOf(shape.table, name)} where ${conditions}${order} limit 1`;
  const found: AnyRow[] = [];
  for (const part of chunksOf(ranges.filter(({ prefix }) => prefix.every(isStorable)))) {
    const [some] = part;
    if (!some) continue;
    const keys = part.map(({ prefix }, nth) => [
      ...prefix.map((value, at) => shape.literal(names[at] ?? '', value)),
      String(nth),
    ]);
    const text = `select k${names.length} as part, (${first}) as wanted from ${tableOf(keys)}${limitOf(part.length)}`;
    const rows: AnyRow[] = [];
    for (const row of await query(text)) {
      if (row['wanted'] === null) continue;
      const at = numberOf(row, 'part');
      const { prefix } = part[at] ?? some;
      const own = Object.fromEntries(names.map((each, nth) => [each, prefix[nth]]));
      rows[at] = column === undefined ? own : { ...own, [column]: shape.value(column, row, 'wanted') };
    }
    for (const row of rows) if (row) found.push(row);
  }
  return found;
};
