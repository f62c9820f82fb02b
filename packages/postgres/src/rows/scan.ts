import { type AnyRange, conditionOf, orderOf, type Table, type TableIndex } from '@partnerkit/core/adapter';
import { columnOf, type Shape } from './shape.ts';
import { parameterTypes } from './values.ts';

/** Neighbours of one form. */
export type RangeGroup = readonly [AnyRange, ...AnyRange[]];

/** Which bounds a range has. Ranges of one form are read by one statement. */
const formOf = ({ prefix, from, after, to, before }: AnyRange): string =>
  [prefix, from, after, to, before].map((each) => each?.length ?? '').join();

/** Ranges in their order, by their forms. */
export const groupsOf = (ranges: readonly AnyRange[]): readonly RangeGroup[] => {
  const groups: [AnyRange, ...AnyRange[]][] = [];
  for (const range of ranges) {
    const group = groups.at(-1);
    if (group && formOf(group[0]) === formOf(range)) group.push(range);
    else groups.push([range]);
  }
  return groups;
};

/** Ranges of one form in SQL, as the table `r` with their places, and the condition of a row of each. */
const rangesOf = (table: Table, index: TableIndex, first: AnyRange) => {
  const { prefix, from = [], after = [], to = [], before = [] } = first;
  const places = [
    ...prefix.map((_, at) => at),
    ...[from, after, to, before].flatMap((bound) => bound.map((_, at) => prefix.length + at)),
  ];
  const columns = places.map((at, place) => {
    const name = (index.columns[at] ?? '').replace(/^-/, '');
    return `v${place} ${parameterTypes[columnOf(table, name).type]}, `;
  });
  let at = 0;
  return {
    ranges: `json_to_recordset($1::json) as r(nth int, ${columns.join('')}most int8)`,
    condition: conditionOf(table, index, first).sql.replaceAll('?', () => `r.v${at++}`),
  };
};

/** A statement over ranges of one form, in their order. `$2`: the limit of all. */
export const scanOf = (shape: Shape, index: TableIndex, first: AnyRange, newestFirst: boolean): string => {
  const { ranges, condition } = rangesOf(shape.table, index, first);
  const order = orderOf(index, newestFirst);
  return (
    `select ${shape.list('t')} from ${ranges} ` +
    `cross join lateral (select * from ${shape.name} t${condition} order by ${order} limit r.most) t ` +
    `order by r.nth, ${order} limit $2::int8`
  );
};

/** A statement that counts the rows of ranges of one form. */
export const countOf = (shape: Shape, index: TableIndex, first: AnyRange): string => {
  const { ranges, condition } = rangesOf(shape.table, index, first);
  return (
    `select r.nth as nth, s.found as found from ${ranges} cross join lateral ` +
    `(select count(*) as found from (select 1 from ${shape.name} t${condition} limit r.most) t) s`
  );
};

/** Ranges as the parameter `$1`, each with its place. */
export const boundRanges = (
  table: Table,
  index: TableIndex,
  ranges: readonly (readonly [number, AnyRange])[],
): string =>
  JSON.stringify(
    ranges.map(([nth, range]) => ({
      nth,
      ...Object.fromEntries(
        conditionOf(table, index, range).values.map((value, place) => [`v${place}`, String(value)]),
      ),
      most: Number.isFinite(range.limit ?? Number.POSITIVE_INFINITY) ? range.limit : null,
    })),
  );
