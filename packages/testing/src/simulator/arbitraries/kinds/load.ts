import fc from 'fast-check';
import { life, none, ok } from '../life.ts';
import { failure } from '../scripts.ts';
import { second } from '../times.ts';

/** One account has many events and slow receivers. @internal */
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

/** Accounts publish much at once, to fast receivers, after the shards are divided. @internal */
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

/** One object has more than sixty events within seconds. @internal */
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
