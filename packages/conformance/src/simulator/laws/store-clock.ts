import type { DurationMs, EpochMs } from '@partnerkit/core';
import type { Trace } from '../trace.ts';

/** The clock of the storage, and its changes. */
export const storeClock = ({ storeClock: changes }: Pick<Trace, 'storeClock'>) => {
  const jumps = changes.slice(1).map(({ at, ahead }, index) => ({ at, by: ahead - (changes[index]?.ahead ?? 0) }));
  const sum = (from: EpochMs, to: EpochMs, sign: 1 | -1): DurationMs =>
    jumps.reduce((all, { at, by }) => (at >= from && at <= to && by * sign > 0 ? all + by * sign : all), 0);
  const back = (from: EpochMs, to: EpochMs): DurationMs => sum(from, to, -1);
  return {
    jumps,
    now: (at: EpochMs): EpochMs => at + (changes.findLast((each) => each.at <= at)?.ahead ?? changes[0]?.ahead ?? 0),
    /** How far it was set ahead in that time, in milliseconds. */
    ahead: (from: EpochMs, to: EpochMs): DurationMs => sum(from, to, 1),
    /** How far it was set back in that time, in milliseconds. */
    back,
    /** When the duration has passed by this clock, which may be set back several times meanwhile. */
    passed: (from: EpochMs, time: DurationMs): EpochMs => {
      let end = from + time;
      for (let next = end + back(from, end); next > end; next = from + time + back(from, end)) end = next;
      return end;
    },
  };
};

export type StoreClock = ReturnType<typeof storeClock>;
