import fc from 'fast-check';
import type { History, ScriptedFault } from '../../history.ts';
import { list } from '../kind.ts';
import { life, none, ok } from '../life.ts';
import { failure } from '../scripts.ts';
import { second } from '../times.ts';

/** One account has many events and slow receivers. */
export const floods = life({
  lasts: fc.constant(0),
  moment: fc.nat(20 * second),
  answers: fc.oneof({ weight: 3, arbitrary: none }, { weight: 1, arbitrary: fc.array(failure, { maxLength: 8 }) }),
  afterwards: ok,
  slowness: fc.constantFrom(100, 3 * second, 15 * second),
  transactions: { max: 5, events: 24 },
  acts: 2,
  faultCount: 2,
});

/** Accounts publish much at once, to fast receivers, after the shards are divided. */
export const crowds = life({
  lasts: fc.constant(0),
  moment: fc.integer({ min: 45 * second, max: 46 * second }),
  answers: none,
  afterwards: ok,
  slowness: fc.constant(100),
  transactions: { max: 6, events: 40 },
  acts: 0,
  concurrency: fc.constant(2),
  faultCount: 0,
});

/** One object has more than sixty events within seconds. */
export const bursts = life({
  lasts: fc.constant(0),
  moment: fc.nat(3 * second),
  answers: none,
  afterwards: ok,
  slowness: fc.constant(100),
  transactions: { max: 6, events: 90 },
  objects: 1,
  acts: 1,
  faultCount: 1,
});

/** What may happen to the call that dispatches an announced event. */
const faultOfAnnounced: fc.Arbitrary<ScriptedFault> = fc.record({
  machine: fc.integer({ min: 1, max: 3 }),
  call: fc.constant('deliveries.dispatchAnnounced' as const),
  number: fc.nat(4),
  kind: fc.constantFrom(
    ...([
      'fail',
      'lose',
      'lose',
      'slow',
      'silent',
      'crash before',
      'crash after',
      'pause before',
      'pause after',
    ] as const),
  ),
  length: fc.oneof(fc.nat(5 * second), fc.nat(60 * second)),
});

/** Events come one by one to idle workers, which dispatch them without a read. */
export const announcements = life({
  lasts: fc.constant(0),
  moment: fc.integer({ min: 20 * second, max: 120 * second }),
  answers: none,
  afterwards: ok,
  slowness: fc.constantFrom(100, 2 * second),
  transactions: { max: 24, events: 1 },
  acts: 4,
  faultCount: 2,
  faults: list(faultOfAnnounced, 0, 3),
}).map(
  (history): History => ({
    ...history,
    endpoints: history.endpoints.map((endpoint) => ({ ...endpoint, includeChildren: false })),
    acts: history.acts.filter((act) => act.kind !== 'select' || !act.includeChildren),
    family: undefined,
  }),
);
