import type { Clock } from '@partnerkit/core/adapter';
import type { Law } from '../../src/simulator/laws/facts.ts';
import { attemptedInTime } from '../../src/simulator/laws/in-time.ts';
import { leaseOutlivesAttempts } from '../../src/simulator/laws/ownership.ts';
import type { Kind } from './expect-to-be-found.ts';

/** Clocks that do not keep their promise, and a law that breaks. */
export const brokenClocks: readonly {
  readonly how: string;
  readonly law: Law;
  readonly kind?: Kind;
  readonly clock: (clock: Clock) => Clock;
}[] = [
  {
    how: 'a monotonic clock that goes at half the speed lets attempts outlive their lease (rule 1)',
    law: leaseOutlivesAttempts,
    kind: 'stalls',
    clock: ({ now, sleep, monotonic = now }) => {
      const start = monotonic();
      return { now, sleep, monotonic: () => start + (monotonic() - start) / 2 };
    },
  },
  {
    how: 'sleep that never ends',
    law: attemptedInTime,
    clock: (clock) => ({
      ...clock,
      sleep: (time, signal) =>
        time > 1_500 && time < 20_000 ? clock.sleep(time * 1_000, signal) : clock.sleep(time, signal),
    }),
  },
];
