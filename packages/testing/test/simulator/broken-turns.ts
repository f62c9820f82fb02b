import type { availableCapacity } from '../../../core/src/delivery-rules/breaker.ts';
import type { createSchedule } from '../../../core/src/worker/memory/schedule.ts';
import type { Law } from '../../src/simulator/laws/facts.ts';
import { hangingDelaysNoOther, slowHoldHalf } from '../../src/simulator/laws/slow-endpoints.ts';
import { urgentIsAttempted } from '../../src/simulator/laws/urgent-attempts.ts';
import type { Kind } from './expect-to-be-found.ts';

/** The parts of the engine that are broken, by their names. */
interface Engine {
  readonly availableCapacity: typeof availableCapacity;
  readonly createSchedule: typeof createSchedule;
}

/** An engine that lets the wrong delivery go first, and a law that it breaks. */
interface BrokenTurns {
  readonly how: string;
  readonly law: Law;
  readonly kind: Kind;
  readonly break: (engine: Engine) => Partial<Engine>;
}

/** A schedule that forgets time-outs. */
const forgetTimeouts: BrokenTurns['break'] = ({ createSchedule: create }) => ({
  createSchedule: (deps) => {
    const schedule = create(deps);
    return { ...schedule, complete: (lane) => schedule.complete(lane, false) };
  },
});

export const brokenTurns: readonly BrokenTurns[] = [
  {
    how: 'what a person sends waits until the breaker closes',
    law: urgentIsAttempted,
    kind: 'urgents',
    break: ({ availableCapacity: whole }) => ({
      availableCapacity: (health, inFlight, limit, now) => whole(health, inFlight, limit, now, false),
    }),
  },
  {
    how: 'endpoints that timed out hold every slot',
    law: slowHoldHalf,
    kind: 'hangs',
    break: forgetTimeouts,
  },
  {
    how: 'an account waits for endpoints that are known to hang',
    law: hangingDelaysNoOther,
    kind: 'hangs',
    break: forgetTimeouts,
  },
];
