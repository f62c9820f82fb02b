import fc from 'fast-check';
import type { History, ScriptedAnswer } from '../history.ts';
import { accounts } from '../laws/numbers.ts';
import { fault, lateHeartbeats, machineEvent, move } from './faults.ts';
import { type Kind, list } from './kind.ts';
import { act, answer, endpoint, failure, gone, transaction } from './scripts.ts';
import { day, hour, minute, second } from './times.ts';

const life = (kind: Kind): fc.Arbitrary<History> =>
  fc.record({
    seed: fc.nat(),
    workers: fc.integer({ min: 1, max: 3 }),
    concurrency: kind.concurrency ?? fc.constantFrom(2, 16, 64),
    perEndpoint: fc.constantFrom(8, 8, 2),
    pollEvery: fc.constantFrom(second, 5 * second, 15 * second),
    pruneEvery: fc.constantFrom(minute, hour),
    retention: fc.constantFrom(
      { held: 2 * day, events: 3 * day, attempts: 3 * day },
      { held: day, events: 2 * day, attempts: 4 * day },
      { held: 6 * hour, events: 5 * day, attempts: 2 * day },
    ),
    lasts: kind.lasts,
    accounts: fc.uniqueArray(fc.nat(accounts.length - 1), { minLength: 2, maxLength: 4, size: 'max' }),
    endpoints: list(endpoint(kind), 1, 4),
    transactions: list(transaction(kind), Math.ceil(kind.transactions.max / 4), kind.transactions.max),
    acts: list(act(kind), 0, kind.acts),
    machineEvents: fc
      .tuple(list(machineEvent(kind), 0, kind.faultCount), list(move(kind), 0, kind.moves ?? 0))
      .map(([events, moves]) => [...events, ...moves]),
    faults: kind.faults ?? list(fault, 0, kind.faultCount),
    noise: fc.oneof(
      { weight: 3, arbitrary: fc.constant({ until: 0, failures: 0, slowness: 0 }) },
      {
        weight: 1,
        arbitrary: fc.record({
          until: fc.constantFrom(10 * second, minute),
          failures: fc.constantFrom(0, 0.05, 0.2),
          slowness: fc.constantFrom(0, 0.02, 0.1),
        }),
      },
    ),
    storeAhead: fc.constantFrom(0, 0, 7 * second, -7 * second, 3 * hour, -3 * hour),
    storeJumps: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc.array(
          fc.record({ at: kind.moment, by: fc.constantFrom(-40 * second, -3 * second, 3 * second, 40 * second, hour) }),
          { minLength: 1, maxLength: 2 },
        ),
      },
    ),
    wallAhead: fc.array(fc.constantFrom(0, 0, 5 * second, -5 * second, hour, -hour), { minLength: 1, maxLength: 4 }),
    hasMonotonic: fc.oneof({ weight: 7, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    family: fc.oneof(
      { weight: 2, arbitrary: fc.constant(undefined) },
      {
        weight: 1,
        arbitrary: fc.record({
          leavesAt: fc.option(fc.nat(2 * minute), { nil: undefined }),
          faults: fc.constantFrom(0, 0.1, 0.4),
        }),
      },
    ),
  });

const none = fc.constant<readonly ScriptedAnswer[]>([]);
const ok = fc.constant<ScriptedAnswer>({ status: 200 });

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

/** One account has many events and slow receivers. */
const floods = life({
  lasts: fc.constant(0),
  moment: fc.nat(20 * second),
  answers: fc.oneof({ weight: 3, arbitrary: none }, { weight: 1, arbitrary: fc.array(failure, { maxLength: 8 }) }),
  afterwards: ok,
  slowness: fc.constantFrom(100, 3 * second, 15 * second),
  transactions: { max: 5, events: 24 },
  acts: 2,
  faultCount: 2,
});

/** Machines join and leave while accounts have more to send than they may at once. */
const moves = life({
  lasts: fc.constant(0),
  moment: fc.nat(40 * second),
  answers: none,
  afterwards: ok,
  slowness: fc.constantFrom(3 * second, 15 * second),
  transactions: { max: 8, events: 8 },
  acts: 0,
  faultCount: 1,
  moves: 5,
});

/** Receivers fail until deliveries are exhausted. */
const retries = life({
  lasts: fc.constant(0),
  moment: fc.oneof({ weight: 3, arbitrary: fc.nat(10 * second) }, { weight: 1, arbitrary: fc.nat(day) }),
  answers: fc.oneof(list(failure, 0, 12), list(answer, 0, 12)),
  afterwards: fc.oneof(ok, failure),
  slowness: fc.constantFrom(100, 5 * second),
  transactions: { max: 3, events: 2 },
  acts: 3,
  faultCount: 3,
});

/** Histories of days: endpoints are disabled, held deliveries expire, and old rows are pruned. */
const days = life({
  lasts: fc.integer({ min: 5 * day, max: 9 * day }),
  moment: fc.oneof(fc.nat(20 * second), fc.nat(7 * day)),
  answers: fc.array(answer, { maxLength: 3 }),
  afterwards: fc.oneof(ok, fc.constant<ScriptedAnswer>({ status: 500 }), gone),
  slowness: fc.constantFrom(100, 5 * second),
  transactions: { max: 6, events: 1 },
  acts: 3,
  faultCount: 2,
});

/** Operators replay repeatedly, and send pending or sent deliveries again. */
const replays = life({
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

/** Receivers fail until the breaker pauses them, and persons send test events, send deliveries again and resume. */
const pauses = life({
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

/** Leases expire while there is much to send. */
const stalls = life({
  lasts: fc.constant(0),
  moment: fc.nat(50 * second),
  answers: none,
  afterwards: ok,
  slowness: fc.constantFrom(3 * second, 15 * second, 15 * second),
  transactions: { max: 10, events: 12 },
  acts: 0,
  faultCount: 1,
  faults: lateHeartbeats,
});

/** Accounts publish much at once, to fast receivers, after the shards are divided. */
const crowds = life({
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
const bursts = life({
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

/** Deliveries of the first day are pruned on the fourth, by workers that live for a quarter of an hour. */
const prunes = life({
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
 * Two of three workers stop together while receivers are slow. One may have no attempt in flight while the other has
 * many.
 */
const departures = life({
  lasts: fc.constant(0),
  moment: fc.nat(20 * second),
  answers: none,
  afterwards: ok,
  slowness: fc.constant(15 * second),
  transactions: { max: 6, events: 4 },
  acts: 0,
  faultCount: 0,
}).map(
  (history): History => ({
    ...history,
    workers: 3,
    machineEvents: [1, 2].map((machine) => ({ at: 15 * second, machine, kind: 'stop' })),
  }),
);

/** A worker is stopped while the storage refuses its settlements, for longer than a lease. */
const outages = fc
  .tuple(
    life({
      lasts: fc.constant(0),
      moment: fc.nat(20 * second),
      answers: none,
      afterwards: ok,
      slowness: fc.constantFrom(100, 3 * second),
      transactions: { max: 6, events: 4 },
      acts: 0,
      faultCount: 0,
    }),
    fc.nat(6),
    fc.integer({ min: 5 * second, max: 25 * second }),
  )
  .map(
    ([history, from, at]): History => ({
      ...history,
      workers: 2,
      machineEvents: [{ at, machine: 1, kind: 'stop' }],
      faults: Array.from({ length: 60 }, (_, index) => ({
        ...{ machine: 1, call: 'deliveries.settle' as const, number: from + index, kind: 'fail' as const, length: 0 },
      })),
    }),
  );

/** Partners send test events to endpoints of children and of parents. */
const families = life({
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

/** Endpoints are changed while they fail, and reads of them are slow. */
const changes = life({
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

/** Kinds of histories. @internal */
export const historyKinds = {
  minutes,
  floods,
  moves,
  retries,
  days,
  replays,
  pauses,
  stalls,
  prunes,
  crowds,
  bursts,
  departures,
  outages,
  families,
  changes,
};
