import type { DurationMs, EpochMs } from '@partnerkit/core';

/** From `from`, until before `to`. */
export interface Interval {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** The same times as sorted intervals that do not touch. */
export const union = (intervals: readonly Interval[]): readonly Interval[] => {
  const merged: { from: EpochMs; to: EpochMs }[] = [];
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (to <= from) continue;
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
};

/** The times that are in both. */
export const intersection = (some: readonly Interval[], others: readonly Interval[]): readonly Interval[] =>
  union(
    some.flatMap((each) =>
      others.map(({ from, to }) => ({ from: Math.max(from, each.from), to: Math.min(to, each.to) })),
    ),
  );

/** The part of a time outside of all excluded intervals, which are a union. */
export const outside = ({ from, to }: Interval, excluded: readonly Interval[]): DurationMs => {
  let left = Math.max(to - from, 0);
  for (const each of excluded) {
    if (each.from >= to) break;
    left -= Math.max(Math.min(each.to, to) - Math.max(each.from, from), 0);
  }
  return left;
};

/** The parts of a time outside of all excluded intervals. */
export const complement = ({ from, to }: Interval, excluded: readonly Interval[]): readonly Interval[] => {
  const left: Interval[] = [];
  let at = from;
  for (const each of union(excluded)) {
    if (each.from > at) left.push({ from: at, to: Math.min(each.from, to) });
    at = Math.max(at, each.to);
  }
  left.push({ from: at, to });
  return left.filter((each) => each.from < each.to);
};

/** The times with at least `count` simultaneous intervals. */
export const crowded = (intervals: readonly Interval[], count: number): readonly Interval[] => {
  if (count <= 0) return [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }];
  const steps = intervals
    .flatMap(({ from, to }) => [
      { at: from, by: 1 },
      { at: to, by: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by);
  const found: Interval[] = [];
  let open = 0;
  let since: EpochMs | undefined;
  for (const { at, by } of steps) {
    open += by;
    if (open >= count) since ??= at;
    else if (since !== undefined) {
      found.push({ from: since, to: at });
      since = undefined;
    }
  }
  return union(found);
};
