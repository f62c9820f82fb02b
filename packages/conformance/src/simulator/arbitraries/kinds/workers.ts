import fc from 'fast-check';
import type { History } from '../../history.ts';
import { lateHeartbeats, silence } from '../faults.ts';
import { life, none, ok } from '../life.ts';
import { second } from '../times.ts';

/** Machines join and leave while accounts have more to send than they may at once. */
export const moves = life({
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

/** Leases expire while there is much to send. */
export const stalls = life({
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

/**
 * Two of three workers stop together while receivers are slow. One may have no attempt in flight while the other has
 * many.
 */
export const departures = life({
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
export const outages = fc
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

/** A worker loses one session after another: the storage refuses it every shard for a minute. */
export const losses = life({
  lasts: fc.constant(0),
  moment: fc.nat(20 * second),
  answers: none,
  afterwards: ok,
  slowness: fc.constant(100),
  transactions: { max: 6, events: 4 },
  acts: 0,
  faultCount: 0,
}).map(
  (history): History => ({
    ...history,
    workers: 2,
    endsAt: 60 * second,
    faults: Array.from({ length: 1_000 }, (_, number) => ({
      ...{ machine: 1, call: 'shards.acquire' as const, number, kind: 'fail' as const, length: 0 },
    })),
  }),
);

/** Calls of one of two workers never answer, and it is stopped. */
export const silences = fc
  .tuple(
    life({
      lasts: fc.constant(0),
      moment: fc.nat(30 * second),
      answers: none,
      afterwards: ok,
      slowness: fc.constantFrom(100, 3 * second),
      transactions: { max: 8, events: 4 },
      acts: 0,
      faultCount: 0,
      faults: silence,
    }),
    fc.integer({ min: 5 * second, max: 60 * second }),
  )
  .map(([history, at]): History => ({ ...history, workers: 2, machineEvents: [{ at, machine: 1, kind: 'stop' }] }));
