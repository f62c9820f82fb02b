import type { Clock, DurationMs, EpochMs } from '@partnerkit/core';

/**
 * A clock that stands still until the test lets time pass.
 * @public
 */
export interface ManualClock extends Clock {
  /** Lets time pass: whoever sleeps wakes when its time has come, in order, and what it then does is done before this resolves. */
  pass(time: DurationMs): Promise<void>;
}

/** Lets everything run that waits for no time: one turn of the event loop, after all promises. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/**
 * Makes a clock for tests.
 * @example
 * const clock = manualClock();
 * const sleep = clock.sleep(5_000, new AbortController().signal);
 * await clock.pass(5_000);
 * await sleep;
 * @defaultValue it begins at 2025-01-01T00:00:00Z
 * @public
 */
export const manualClock = (start: EpochMs = Date.UTC(2025, 0)): ManualClock => {
  let present = start;
  const asleep = new Set<{ readonly until: EpochMs; readonly wake: () => void }>();
  const firstUntil = (until: EpochMs) =>
    [...asleep].filter((sleeper) => sleeper.until <= until).sort((a, b) => a.until - b.until)[0];
  return {
    now: () => present,
    sleep: (time, signal) =>
      new Promise((resolve) => {
        const sleeper = {
          until: present + time,
          wake: () => {
            asleep.delete(sleeper);
            signal.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        if (signal.aborted || time <= 0) return resolve();
        asleep.add(sleeper);
        signal.addEventListener('abort', sleeper.wake);
      }),
    pass: async (time) => {
      const until = present + time;
      await settled();
      for (let next = firstUntil(until); next; next = firstUntil(until)) {
        present = Math.max(present, next.until);
        next.wake();
        await settled();
      }
      present = until;
      await settled();
    },
  };
};
