import type { DurationMs, EpochMs } from '@partnerkit/core';

/** Thrown for a process that never waits. */
class Spinning extends Error {
  override readonly name = 'Spinning';
}

/** Finds loops that wait only for microtasks, for sleeps of no duration, or for calls that return at once. */
export interface SpinGuard {
  /** Counts an act of a process. @throws Spinning when the loop would never end. */
  note(process: string, act: string): void;
  /** @throws Spinning for what was found. */
  assertNone(): void;
}

/** The virtual time in which acts are counted. */
const span: DurationMs = 10_000;
/** Name of a reading of the clock, as an act. */
export const reading = 'the reading of its clock';
/** Name of a sleep of no duration, as an act. */
export const emptySleep = 'a sleep of no duration';

/** Several times what the busiest histories need. */
const limitOf = (act: string): number => {
  if (act === reading) return 1_000_000;
  // A worker waits a second after each session that it lost.
  if (act === 'shards.join') return 12;
  // They keep pace with the lease, however much there is to send.
  return act.startsWith('shards.') ? 100 : 3_000;
};

/** Counts in virtual time, so that the speed of the machine does not matter. */
export const createSpinGuard = (now: () => EpochMs): SpinGuard => {
  const counts = new Map<string, { since: EpochMs; times: number }>();
  let found: Spinning | undefined;
  return {
    note: (process, act) => {
      const key = `${process} ${act}`;
      const count = counts.get(key) ?? { since: now(), times: 0 };
      counts.set(key, count);
      if (now() - count.since >= span) Object.assign(count, { since: now(), times: 0 });
      count.times++;
      if (count.times <= limitOf(act)) return;
      const passed = now() - count.since;
      // Its stack names the loop. The caller may catch it, so the scheduler throws it again.
      found ??= new Spinning(
        `${process} repeated ${act} ${count.times} times within ${passed} ms: a loop never waits.`,
      );
      throw found;
    },
    assertNone: () => {
      if (found) throw found;
    },
  };
};
