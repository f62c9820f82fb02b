import * as attempts from '../../src/simulator/laws/attempts.ts';
import * as breaker from '../../src/simulator/laws/breaker.ts';
import * as inTime from '../../src/simulator/laws/in-time.ts';
import { type BrokenStore, deliveries, each, onSettle } from './broken-store.ts';

/** Outcomes are stored wrongly. */
export const brokenSettling: readonly BrokenStore[] = [
  {
    how: 'retries come in half the time',
    law: attempts.neverEarly,
    break: onSettle((settlement) => ({
      ...settlement,
      pending: settlement.pending.map((each) => ({ ...each, dueIn: each.dueIn / 2 })),
    })),
  },
  {
    how: 'retries come in twice the time',
    law: inTime.attemptedInTime,
    break: onSettle((settlement) => ({
      ...settlement,
      pending: settlement.pending.map((each) => ({ ...each, dueIn: each.dueIn * 2 })),
    })),
  },
  {
    how: 'now and then a retry is forgotten',
    law: inTime.attemptedInTime,
    break: deliveries(({ settle }) => {
      const isForgotten = each(3);
      return {
        settle: (id, settlement, known) =>
          settle(id, { ...settlement, pending: settlement.pending.filter(() => !isForgotten()) }, known),
      };
    }),
  },
  {
    how: 'now and then an attempt is not logged',
    law: attempts.logTellsAttempts,
    break: deliveries(({ settle }) => {
      const isForgotten = each(3);
      return {
        settle: (id, settlement, known) =>
          settle(id, { ...settlement, attempts: settlement.attempts.filter(() => !isForgotten()) }, known),
      };
    }),
  },
  {
    how: 'a finished delivery stays pending',
    law: attempts.finishedIsFinished,
    break: onSettle((settlement) => ({ ...settlement, finished: [] })),
  },
  {
    how: 'the health of endpoints is not stored',
    law: breaker.openBreakerSendsNothing,
    break: onSettle((settlement) => ({ ...settlement, health: [] })),
  },
  {
    how: 'no endpoint is disabled',
    law: breaker.goneIsDisabled,
    break: onSettle((settlement) => ({
      ...settlement,
      transitions: settlement.transitions.map(({ disable: _none, ...transition }) => transition),
    })),
  },
];
