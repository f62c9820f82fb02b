import type { ScanOptions } from './row-store.ts';
import type { AnyRange } from './sql.ts';

const bounds = ['from', 'after', 'to', 'before'] as const;

const hasSameBounds = (a: AnyRange, b: AnyRange): boolean =>
  bounds.every((name) => {
    const [own, other] = [a[name], b[name]];
    return own === other || (own !== undefined && other !== undefined && String(own) === String(other));
  });

/** Whether a range follows another one, and they differ in the last value of their prefix alone, a number. */
const follows = (before: AnyRange, range: AnyRange): boolean => {
  const [own, other] = [range.prefix.at(-1), before.prefix.at(-1)];
  return (
    range.prefix.length === before.prefix.length &&
    typeof own === 'number' &&
    typeof other === 'number' &&
    own > other &&
    range.prefix.slice(0, -1).every((value, at) => value === before.prefix[at]) &&
    hasSameBounds(before, range)
  );
};

/**
 * Groups the ranges of a scan that one statement reads in the same order: neighbours, such as those of many shards.
 * For stores on SQL.
 * @example
 * const ranges = [3, 1, 2].map((shard) => ({ prefix: [shard] }));
 * groupRanges(ranges, {}); // the ranges of each statement
 * @public
 */
export const groupRanges = (
  ranges: readonly AnyRange[],
  { limit = Number.POSITIVE_INFINITY, newestFirst = false }: ScanOptions,
): readonly (readonly AnyRange[])[] => {
  const groups: AnyRange[][] = [];
  for (const range of ranges) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isLimited = (range.limit ?? Number.POSITIVE_INFINITY) < limit;
    if (group && last && !newestFirst && !isLimited && follows(last, range)) group.push(range);
    else groups.push([range]);
  }
  return groups;
};
