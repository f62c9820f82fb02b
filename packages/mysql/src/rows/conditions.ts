import type { AnyRange, TableIndex } from '@partnerkit/core/adapter';
import { isStorable } from './literals.ts';
import { bare, isDescending, named } from './names.ts';
import type { Shape } from './shape.ts';

const strict = { from: '>', after: '>', to: '<', before: '<' } as const;
type Bound = keyof typeof strict;

const isInclusive = (bound: Bound): boolean => bound === 'from' || bound === 'to';

/** `(a, b) > (1, 2)` as `a > 1 or (a = 1 and b > 2)`: only that is a range of an index to the database. */
const comparison = (columns: readonly string[], values: readonly string[], bound: Bound): string => {
  const sign = strict[bound];
  const parts = columns.map((column, at) => {
    const equal = columns.slice(0, at).map((each, before) => `${each} = ${values[before]}`);
    const isLast = at === columns.length - 1;
    return [...equal, `${column} ${sign}${isLast && isInclusive(bound) ? '=' : ''} ${values[at]}`].join(' and ');
  });
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.map((part) => `(${part})`).join(' or ')})`;
};

/** The condition for which rows are in an index. */
export const partOf = (
  { table: { columns }, literal }: Shape,
  { columns: names, where }: TableIndex,
): readonly string[] => [
  ...(where ? [`${named(where[0])} = ${literal(where[0], where[1])}`] : []),
  ...names
    .map(bare)
    .filter((name) => columns[name]?.isOptional)
    .map((name) => `${named(name)} is not null`),
];

/**
 * The condition of a range; `undefined` when it has no rows.
 * @param last - The condition of the last column of the prefix. @defaultValue that it equals the value
 */
export const conditionOf = (shape: Shape, index: TableIndex, range: AnyRange, last?: string): string | undefined => {
  // No row has a text that cannot be stored; as bytes, it could be another one.
  if (!range.prefix.every(isStorable)) return undefined;
  const names = index.columns.map(bare);
  const start = range.prefix.length;
  const prefix = range.prefix.map(
    (value, at) => `${named(names[at] ?? '')} = ${shape.literal(names[at] ?? '', value)}`,
  );
  if (last !== undefined) prefix.splice(-1, 1, last);
  const bounds = (Object.keys(strict) as Bound[]).flatMap((bound) => {
    const limits = range[bound];
    if (!limits) return [];
    const compared = names.slice(start, start + limits.length);
    if (index.columns.slice(start, start + limits.length).some(isDescending))
      throw new TypeError(`${shape.table.name}: a descending column has no bounds.`);
    const values = limits.map((value, at) => shape.literal(compared[at] ?? '', value));
    return [comparison(compared.map(named), values, bound)];
  });
  return [...partOf(shape, index), ...prefix, ...bounds].join(' and ');
};

/** The order of an index, from its beginning or its end. */
export const orderOf = ({ columns }: TableIndex, newestFirst: boolean): string =>
  columns.map((each) => named(bare(each)) + (isDescending(each) === newestFirst ? '' : ' desc')).join(', ');
