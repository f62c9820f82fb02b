import fc from 'fast-check';
import type { History, ScriptedAnswer } from '../../history.ts';
import { list } from '../kind.ts';
import { life, none, ok } from '../life.ts';
import { answer, failure, plainEndpoint, plainEvent } from '../scripts.ts';
import { day, second } from '../times.ts';

/** Receivers fail until deliveries are exhausted. */
export const retries = life({
  lasts: fc.constant(0),
  moment: fc.oneof({ weight: 3, arbitrary: fc.nat(10 * second) }, { weight: 1, arbitrary: fc.nat(day) }),
  answers: fc.oneof(list(failure, 0, 12), list(answer, 0, 12)),
  afterwards: fc.oneof(ok, failure),
  slowness: fc.constantFrom(100, 5 * second),
  transactions: { max: 3, events: 2 },
  acts: 3,
  faultCount: 3,
});

/** Receivers fail until the breaker pauses them, and persons send test events, send deliveries again and resume. */
export const pauses = life({
  lasts: fc.constant(0),
  moment: fc.nat(40 * second),
  answers: list(failure, 5, 8),
  afterwards: ok,
  slowness: fc.constantFrom(100, 100, 5 * second),
  transactions: { max: 4, events: 4 },
  acts: 10,
  actKinds: fc.constantFrom('send test', 'send again', 'send again', 'resume'),
  faultCount: 1,
});

/** Endpoints are changed while they fail, and reads of them are slow. */
export const changes = life({
  lasts: fc.constant(0),
  moment: fc.nat(20 * second),
  answers: list(fc.constant<ScriptedAnswer>({ status: 500 }), 4, 12),
  afterwards: ok,
  slowness: fc.constant(2 * second),
  transactions: { max: 8, events: 8 },
  acts: 30,
  actKinds: fc.constant('move'),
  faultCount: 0,
}).map(
  (history): History => ({
    ...history,
    endpoints: history.endpoints.map((each) => ({ ...each, account: 0 })),
    faults: Array.from({ length: 20 }, (_, index) => ({
      ...{ machine: 1, call: 'deliveries.readEndpoints' as const, number: 2 + index },
      ...{ kind: 'slow' as const, length: 3 * second },
    })),
  }),
);

/** Receivers of 20 accounts hang, up to 400 of them, and those of one account work. */
export const hangs = fc
  .tuple(
    life({
      lasts: fc.constant(0),
      moment: fc.nat(20 * second),
      answers: none,
      afterwards: ok,
      slowness: fc.constant(100),
      transactions: { max: 1, events: 1 },
      acts: 0,
      concurrency: fc.constantFrom(16, 64),
      faultCount: 0,
    }),
    fc.constantFrom(1, 4, 20),
    list(fc.nat(5 * second), 20, 20),
    list(fc.nat(75 * second), 8, 8),
  )
  .map(([history, endpoints, hanging, working]): History => {
    const each = hanging.map((_, index) => index + 1);
    return {
      ...history,
      accounts: [0, ...each],
      endpoints: [
        plainEndpoint(0, { status: 200 }, 100),
        ...each.flatMap((account) =>
          Array.from({ length: endpoints }, () => plainEndpoint(account, { fails: 'timeout' }, 100)),
        ),
      ],
      transactions: [
        ...hanging.map((at, index) => plainEvent(index + 1, at)),
        // Most of them are known to hang by then.
        ...hanging.map((at, index) => plainEvent(index + 1, at + 40 * second)),
        ...working.map((at) => plainEvent(0, at)),
      ],
      ...{ acts: [], family: undefined, endsAt: 90 * second },
    };
  });
