import fc from 'fast-check';
import type { History, ScriptedAnswer } from '../history.ts';
import { accounts } from '../laws/numbers.ts';
import { fault, machineEvent, move } from './faults.ts';
import { type Kind, list } from './kind.ts';
import { act, endpoint, transaction } from './scripts.ts';
import { day, hour, minute, second } from './times.ts';

/** Histories of a kind. */
export const life = (kind: Kind): fc.Arbitrary<History> =>
  fc.record({
    seed: fc.nat(),
    workers: fc.integer({ min: 1, max: 3 }),
    concurrency: kind.concurrency ?? fc.constantFrom(2, 16, 64),
    perEndpoint: fc.constantFrom(8, 8, 2),
    pollEvery: fc.constantFrom(second, 5 * second, 15 * second),
    pruneEvery: fc.constantFrom(minute, hour),
    retention: fc.constantFrom(
      { held: 2 * day, events: 3 * day },
      { held: day, events: 2 * day },
      { held: 6 * hour, events: 5 * day },
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

/** No scripted answers. */
export const none = fc.constant<readonly ScriptedAnswer[]>([]);
export const ok = fc.constant<ScriptedAnswer>({ status: 200 });
