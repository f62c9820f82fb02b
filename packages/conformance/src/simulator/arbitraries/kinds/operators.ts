import fc from 'fast-check';
import type { History, ScriptedAnswer } from '../../history.ts';
import { list } from '../kind.ts';
import { life, none, ok } from '../life.ts';
import { answer } from '../scripts.ts';
import { second } from '../times.ts';

/** Operators replay repeatedly, and send pending or sent deliveries again. */
export const replays = life({
  lasts: fc.constant(0),
  moment: fc.nat(30 * second),
  answers: list(answer, 0, 3),
  afterwards: ok,
  slowness: fc.constantFrom(100, 2 * second, 15 * second),
  transactions: { max: 6, events: 3 },
  acts: 14,
  actKinds: fc.constantFrom('replay', 'replay', 'send again'),
  faultCount: 1,
});

/** Partners send test events to endpoints of children and of parents. */
export const families = life({
  lasts: fc.constant(0),
  moment: fc.nat(20 * second),
  answers: none,
  afterwards: ok,
  slowness: fc.constant(100),
  transactions: { max: 4, events: 3 },
  acts: 12,
  actKinds: fc.constant('send test'),
  faultCount: 0,
}).map((history): History => ({ ...history, family: { faults: 0 } }));

/** Persons send to endpoints whose breaker opens early, and workers poll often. */
export const urgents = life({
  lasts: fc.constant(0),
  moment: fc.oneof(fc.nat(5 * second), fc.nat(40 * second)),
  answers: list(fc.constant<ScriptedAnswer>({ status: 500 }), 8, 12),
  afterwards: ok,
  slowness: fc.constant(100),
  transactions: { max: 8, events: 4 },
  acts: 12,
  actKinds: fc.constantFrom('send test', 'send again'),
  faultCount: 0,
}).map((history): History => ({ ...history, pollEvery: second }));
