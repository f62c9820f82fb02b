import fc from 'fast-check';
import type { History, ScriptedAnswer } from '../../history.ts';
import { list } from '../kind.ts';
import { life, none, ok } from '../life.ts';
import { answer, gone } from '../scripts.ts';
import { day, minute, second } from '../times.ts';

/** Histories of days: endpoints are disabled, held deliveries expire, and old rows are pruned. */
export const days = life({
  lasts: fc.integer({ min: 5 * day, max: 9 * day }),
  moment: fc.oneof(fc.nat(20 * second), fc.nat(7 * day)),
  answers: fc.array(answer, { maxLength: 3 }),
  afterwards: fc.oneof(ok, fc.constant<ScriptedAnswer>({ status: 500 }), gone),
  slowness: fc.constantFrom(100, 5 * second),
  transactions: { max: 6, events: 1 },
  acts: 3,
  faultCount: 2,
});

/** Deliveries of the first day are pruned on the fourth, by workers that live for a quarter of an hour. */
export const prunes = life({
  lasts: fc.constant(3 * day + 20 * minute),
  moment: fc.oneof(fc.nat(20 * second), fc.integer({ min: 3 * day, max: 3 * day + 15 * minute })),
  answers: none,
  afterwards: ok,
  slowness: fc.constant(100),
  transactions: { max: 6, events: 1 },
  acts: 20,
  actKinds: fc.constant('cancel'),
  faultCount: 0,
});

/**
 * Events are replayed just before their time, to receivers that fail by then. The history ends soon after, without a
 * leap over the pruning.
 */
export const lateReplays = fc
  .tuple(
    life({
      lasts: fc.constant(2 * day + 20 * second),
      moment: fc.nat(10 * second),
      answers: list(fc.constant<ScriptedAnswer>({ status: 200 }), 0, 3),
      afterwards: fc.constant<ScriptedAnswer>({ status: 500 }),
      slowness: fc.constant(100),
      transactions: { max: 6, events: 1 },
      acts: 0,
      faultCount: 0,
    }),
    list(fc.record({ before: fc.nat(minute), endpoint: fc.nat(3) }), 2, 5),
  )
  .map(
    ([history, replayed]): History => ({
      ...history,
      ...{ pruneEvery: minute, retention: { held: day, events: 2 * day } },
      endsAt: 2 * day + 2 * minute,
      acts: replayed.map(({ before, endpoint }) => ({ at: 2 * day - before, endpoint, kind: 'replay' })),
    }),
  );
