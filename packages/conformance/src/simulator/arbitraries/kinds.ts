import fc from 'fast-check';
import { list } from './kind.ts';
import * as incidents from './kinds/incidents.ts';
import * as load from './kinds/load.ts';
import * as operators from './kinds/operators.ts';
import * as receivers from './kinds/receivers.ts';
import { restarts } from './kinds/restarts.ts';
import * as retention from './kinds/retention.ts';
import * as workers from './kinds/workers.ts';
import { life, ok } from './life.ts';
import { answer } from './scripts.ts';
import { minute, second } from './times.ts';

/** Everything happens within a minute, and most receivers recover soon. */
const minutes = life({
  lasts: fc.constant(0),
  moment: fc.oneof(fc.nat(5 * second), fc.nat(minute)),
  answers: list(answer, 0, 4),
  afterwards: ok,
  slowness: fc.constantFrom(100, 100, 2 * second, 15 * second),
  transactions: { max: 10, events: 4 },
  acts: 6,
  faultCount: 4,
});

/** Kinds of histories. */
export const historyKinds = {
  minutes,
  restarts,
  ...incidents,
  ...load,
  ...operators,
  ...receivers,
  ...retention,
  ...workers,
};
