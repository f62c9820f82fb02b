import fc from 'fast-check';
import { historyKinds } from './arbitraries/kinds.ts';
import { readers } from './arbitraries/scripts.ts';
import type { History } from './history.ts';

/** Histories without readers of feeds. */
export const withoutReaders: fc.Arbitrary<History> = fc.noBias(
  fc.oneof(
    { weight: 12, arbitrary: historyKinds.minutes },
    { weight: 3, arbitrary: historyKinds.floods },
    { weight: 2, arbitrary: historyKinds.moves },
    { weight: 3, arbitrary: historyKinds.retries },
    { weight: 2, arbitrary: historyKinds.days },
    { weight: 1, arbitrary: historyKinds.replays },
    { weight: 1, arbitrary: historyKinds.lateReplays },
    { weight: 1, arbitrary: historyKinds.pauses },
    { weight: 1, arbitrary: historyKinds.crowds },
    { weight: 1, arbitrary: historyKinds.losses },
    { weight: 1, arbitrary: historyKinds.silences },
    { weight: 1, arbitrary: historyKinds.stalls },
    { weight: 1, arbitrary: historyKinds.bursts },
    { weight: 1, arbitrary: historyKinds.outages },
    { weight: 1, arbitrary: historyKinds.families },
    { weight: 1, arbitrary: historyKinds.changes },
    { weight: 2, arbitrary: historyKinds.announcements },
    { weight: 3, arbitrary: historyKinds.incidents },
    { weight: 1, arbitrary: historyKinds.longIncidents },
  ),
);

/**
 * Histories for fast-check, small enough to read after a failure.
 * @example
 * await fc.assert(fc.asyncProperty(historyArbitrary, async (history) => checkLaws(await simulate(history))));
 * @public
 */
export const historyArbitrary: fc.Arbitrary<History> = fc
  .tuple(withoutReaders, fc.noBias(readers))
  .map(([history, readers]) => ({ ...history, readers }));
