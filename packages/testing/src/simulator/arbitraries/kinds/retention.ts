import fc from 'fast-check';
import type { ScriptedAnswer } from '../../history.ts';
import { life, none, ok } from '../life.ts';
import { answer, gone } from '../scripts.ts';
import { day, minute, second } from '../times.ts';

/** Histories of days: endpoints are disabled, held deliveries expire, and old rows are pruned. @internal */
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

/** Deliveries of the first day are pruned on the fourth, by workers that live for a quarter of an hour. @internal */
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
