import type { DurationMs, EpochMs } from '@partnerkit/core';
import type { Clock } from '@partnerkit/core/adapter';
import { expect } from 'vitest';

/** 2024-11-21T00:00:00Z, when each test begins. */
export const start: EpochMs = Date.UTC(2024, 10, 21);
export const minute: DurationMs = 60_000;

export interface TestClock extends Clock {
  set(at: EpochMs): void;
  advance(time: DurationMs): void;
}

/** A clock that stands still until it is told otherwise. Nothing of a receiver sleeps. */
export const testClock = (at: EpochMs = start): TestClock => {
  let present = at;
  return {
    now: () => present,
    sleep: async () => expect.unreachable('a receiver never waits'),
    set: (to) => {
      present = to;
    },
    advance: (time) => {
      present += time;
    },
  };
};
