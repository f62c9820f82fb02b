import type { DurationMs, EpochMs } from '@partnerkit/core';
import type { Clock } from '@partnerkit/core/adapter';

/**
 * A clock that only the test advances.
 * @public
 */
export interface ManualClock extends Clock {
  /**
   * Advances the clock by `time` milliseconds. Sleepers wake in order of their deadlines; their reactions finish before
   * this resolves.
   */
  pass(time: DurationMs): Promise<void>;
}

/** Runs everything that waits for no time: one iteration of the event loop, after all promises. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** More than any code needs between two moments. A loop that waits only for microtasks would block its test. */
const maxIdleSleeps = 10_000;

/**
 * Creates a clock for tests. `pass` rejects when a loop sleeps again and again while no time passes.
 * @example
 * const clock = manualClock();
 * const sleep = clock.sleep(5_000, new AbortController().signal);
 * await clock.pass(5_000);
 * await sleep;
 * @defaultValue 2025-01-01T00:00:00Z
 * @public
 */
export const manualClock = (start: EpochMs = Date.UTC(2025, 0)): ManualClock => {
  let present = start;
  const idle = { since: start, sleeps: 0 };
  const assertNotSpinning = (): void => {
    if (idle.sleeps >= maxIdleSleeps)
      throw new Error(`A loop slept ${maxIdleSleeps} times while no time passed: it would never end.`);
  };
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
        if (idle.since !== present) Object.assign(idle, { since: present, sleeps: 0 });
        if (time <= 0 && ++idle.sleeps >= maxIdleSleeps) return;
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
        assertNotSpinning();
      }
      present = until;
      await settled();
      assertNotSpinning();
    },
  };
};
