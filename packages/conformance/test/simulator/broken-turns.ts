import { hangingDelaysNoOther, slowHoldHalf, untriedGoAlone } from '../../src/simulator/laws/slow-endpoints.ts';
import { urgentIsAttempted } from '../../src/simulator/laws/urgent-attempts.ts';
import { breakMemory, breakRules, replace } from './break-engine.ts';
import type { BrokenEngine } from './broken-engine.ts';

const forgetsTimeouts = breakMemory(({ schedule }) => {
  replace(schedule, ({ complete }) => ({ complete: (lane) => complete(lane, 'prompt') }));
});

/** Engines that let the wrong delivery go first. */
export const brokenTurns: readonly BrokenEngine[] = [
  {
    how: 'what a person sends waits until the breaker closes',
    law: urgentIsAttempted,
    kind: 'urgents',
    break: breakRules(({ availableCapacity }) => ({
      availableCapacity: (health, load) => availableCapacity(health, { ...load, isUrgent: false }),
    })),
  },
  {
    how: 'endpoints that timed out hold every slot',
    law: slowHoldHalf,
    kind: 'hangs',
    break: forgetsTimeouts,
  },
  {
    how: 'an endpoint that was not tried has all of its capacity',
    law: untriedGoAlone,
    break: breakMemory((memory) => {
      replace(memory, ({ learn }) => ({
        learn: (...read) => {
          learn(...read);
          for (const { lanes } of memory.accounts.all()) for (const lane of lanes) lane.pace = 'prompt';
        },
      }));
    }),
  },
  {
    how: 'an account waits for endpoints that are known to hang',
    law: hangingDelaysNoOther,
    kind: 'hangs',
    break: forgetsTimeouts,
  },
];
