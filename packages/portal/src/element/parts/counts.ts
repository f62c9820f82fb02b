import type { AttemptCounts } from '../portal.ts';
import type { Bar } from './chart.ts';

/** The sum of bars, and the share that succeeded; no share without attempts. @internal */
export const totalOf = (bars: readonly Bar[]) => {
  const succeeded = bars.reduce((sum, each) => sum + each.succeeded, 0);
  const failed = bars.reduce((sum, each) => sum + each.failed, 0);
  return { succeeded, failed, share: succeeded + failed === 0 ? undefined : succeeded / (succeeded + failed) };
};

/** The hours of several endpoints, added. @internal */
export const added = (all: readonly AttemptCounts[]): readonly Bar[] => {
  const hours = new Map<number, Bar>();
  for (const { at, succeeded, failed } of all.flatMap((each) => each.hours)) {
    const known = hours.get(at) ?? { at, succeeded: 0, failed: 0 };
    hours.set(at, { at, succeeded: known.succeeded + succeeded, failed: known.failed + failed });
  }
  return [...hours.values()].toSorted((a, b) => a.at - b.at);
};
