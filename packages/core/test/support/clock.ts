import type { Clock } from '../../src/base/runtime/clock.ts';
import type { DurationMs, EpochMs } from '../../src/base/runtime/time.ts';

/** 2024-11-21T00:00:00Z, when most tests begin. */
export const start: EpochMs = Date.UTC(2024, 10, 21);

/** Lets everything run that needs no time. */
export const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** More readings than any test needs before anything else may run. */
const maxReadings = 500_000;

/**
 * Fails a loop that only waits for promises and never for time: no time-out of a test would end it, since no timer
 * runs meanwhile.
 */
const failLoops = (): (() => void) => {
  let readings = 0;
  return () => {
    if (readings === 0)
      setImmediate(() => {
        readings = 0;
      });
    readings++;
    if (readings > maxReadings) throw new Error(`The clock was read ${readings} times at once: a loop never waits.`);
  };
};

export interface TestClock extends Clock {
  set(at: EpochMs): void;
  /** Lets time pass: each sleeper wakes when its time has come, in order. */
  advance(time: DurationMs): Promise<void>;
  /** How many sleep now. */
  sleepers(): number;
}

/** More than any code needs between two moments. A loop that waits only for microtasks would block its test. */
const maxIdleSleeps = 10_000;

/** A clock that stands still until it is told otherwise. */
export const testClock = (at: EpochMs = start): TestClock => {
  let present = at;
  const idle = { since: at, sleeps: 0 };
  const assertNotSpinning = (): void => {
    if (idle.sleeps >= maxIdleSleeps)
      throw new Error(`A loop slept ${maxIdleSleeps} times while no time passed: it would never end.`);
  };
  const noteReading = failLoops();
  const asleep = new Set<{ readonly until: EpochMs; readonly wake: () => void }>();
  const next = (until: EpochMs) => {
    const [first] = [...asleep].filter((sleeper) => sleeper.until <= until).sort((a, b) => a.until - b.until);
    return first;
  };
  return {
    now: () => {
      noteReading();
      return present;
    },
    set: (to) => {
      present = to;
    },
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
    advance: async (time) => {
      const until = present + time;
      await settled();
      for (let sleeper = next(until); sleeper; sleeper = next(until)) {
        present = Math.max(present, sleeper.until);
        sleeper.wake();
        await settled();
        assertNotSpinning();
      }
      present = Math.max(present, until);
      await settled();
      assertNotSpinning();
    },
    sleepers: () => asleep.size,
  };
};

/** A clock that moves the present on once nothing runs without a sleep. */
export const skippingClock = (at: EpochMs = start): Clock & { set(at: EpochMs): void } => {
  let present = at;
  const noteReading = failLoops();
  return {
    now: () => {
      noteReading();
      return present;
    },
    set: (to) => {
      present = to;
    },
    sleep: async (time, signal) => {
      if (signal.aborted) return;
      await settled();
      if (!signal.aborted) present += time;
    },
  };
};
