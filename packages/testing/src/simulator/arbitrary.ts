import { catalogue, type DurationMs, type SendFailure } from '@partnerkit/core';
import fc from 'fast-check';
import type {
  History,
  MachineEvent,
  ScriptedAct,
  ScriptedAnswer,
  ScriptedEndpoint,
  ScriptedFault,
  ScriptedTransaction,
  SimulatedType,
} from './history.ts';
import { accounts } from './laws/numbers.ts';
import type { CallName } from './trace.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const types: readonly SimulatedType[] = catalogue.RequestSecurityDeposit;
const type = fc.constantFrom(...types.slice(0, 6));
const selection = fc.oneof(
  { weight: 3, arbitrary: fc.constant<SimulatedType[]>([...types]) },
  { weight: 1, arbitrary: fc.uniqueArray(type, { minLength: 1, maxLength: 3 }) },
);

const success: fc.Arbitrary<ScriptedAnswer> = fc.record({ status: fc.constantFrom(200, 204, 299) });
const failure: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ status: fc.constantFrom(302, 400, 404, 500, 503) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      fails: fc.constantFrom<SendFailure | 'never'>('timeout', 'timeout', 'dns', 'connect', 'tls', 'reset', 'never'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      status: fc.constantFrom(429, 503, 500),
      retryAfter: fc.constantFrom('1', '90', '400', '7200', '200000', 'soon'),
    }),
  },
);
const gone: fc.Arbitrary<ScriptedAnswer> = fc.constant({ status: 410 });
const answer = fc.oneof(
  { weight: 4, arbitrary: success },
  { weight: 5, arbitrary: failure },
  { weight: 1, arbitrary: gone },
);

/** The first accounts have most of the endpoints and events, so that these meet. */
const account = fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(3) });

/** A list that is as often long as short, whatever size the run has. */
const list = <T>(of: fc.Arbitrary<T>, min: number, max: number): fc.Arbitrary<T[]> =>
  fc.array(of, { minLength: min, maxLength: max, size: 'max' });

/** How the histories of one kind differ from others. */
interface Kind {
  readonly lasts: fc.Arbitrary<DurationMs>;
  /** When things happen. */
  readonly moment: fc.Arbitrary<DurationMs>;
  readonly answers: fc.Arbitrary<readonly ScriptedAnswer[]>;
  readonly afterwards: fc.Arbitrary<ScriptedAnswer>;
  readonly slowness: fc.Arbitrary<DurationMs>;
  readonly transactions: { readonly max: number; readonly events: number };
  readonly acts: number;
  readonly troubles: number;
  /** How many machines come or go at most, beside the troubles. */
  readonly moves?: number;
}

const endpoint = ({ answers, afterwards, slowness }: Kind): fc.Arbitrary<ScriptedEndpoint> =>
  fc.record({
    account,
    events: selection,
    includeChildren: fc.boolean(),
    standardWebhooks: fc.boolean(),
    hasApiKey: fc.boolean(),
    answers,
    afterwards,
    slowness,
  });

const transaction = ({ moment, transactions: { events } }: Kind): fc.Arbitrary<ScriptedTransaction> =>
  fc.record({
    at: moment,
    openFor: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(12 * second) }),
    end: fc.constantFrom('commit', 'commit', 'commit', 'rollback'),
    events: list(
      fc.record({
        account,
        object: fc.nat(2),
        type,
        age: fc.option(fc.oneof(fc.nat(20 * second), fc.nat(hour)), { nil: undefined }),
        idempotencyKey: fc.oneof(
          { weight: 4, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fc.constantFrom('k1', 'k2') },
        ),
      }),
      1,
      events,
    ),
  });

const act = ({ moment }: Kind): fc.Arbitrary<ScriptedAct> =>
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({
        at: moment,
        endpoint: fc.nat(3),
        kind: fc.constantFrom(
          ...(['disable', 'enable', 'enable', 'delete', 'send test', 'replay', 'replay', 'send again'] as const),
          ...(['prepare', 'prepare', 'activate', 'activate', 'activate later', 'cancel'] as const),
          ...(['new api key', 'no api key', 'move'] as const),
        ),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        at: moment,
        endpoint: fc.nat(3),
        kind: fc.constant('select' as const),
        events: selection,
        includeChildren: fc.boolean(),
      }),
    },
  );

const machineEvent = ({ moment }: Kind): fc.Arbitrary<MachineEvent> => {
  const at = { at: moment, machine: fc.nat(4) };
  return fc.oneof(
    fc.record({ ...at, kind: fc.constantFrom('stop' as const, 'start' as const) }),
    fc.record({ ...at, kind: fc.constant('crash' as const), downFor: fc.nat(90 * second) }),
    fc.record({
      ...at,
      kind: fc.constant('pause' as const),
      length: fc.oneof(fc.nat(10 * second), fc.nat(70 * second)),
    }),
    fc.record({
      ...at,
      kind: fc.constant('clock' as const),
      by: fc.constantFrom(-day, -hour, -7 * second, 7 * second, 40 * second, hour, day),
    }),
  );
};

/** A machine is added, or taken away. */
const move = ({ moment }: Kind): fc.Arbitrary<MachineEvent> =>
  fc.record({
    at: moment,
    machine: fc.integer({ min: 1, max: 4 }),
    kind: fc.constantFrom('stop' as const, 'start' as const, 'start' as const),
  });

const workerCalls: readonly (CallName | 'send')[] = [
  'shards.join',
  'shards.heartbeat',
  'shards.acquire',
  'shards.release',
  'shards.leave',
  'deliveries.readOutbox',
  'deliveries.stamp',
  'deliveries.stamp',
  'deliveries.settle',
  'deliveries.settle',
  'deliveries.readDue',
  'deliveries.readQueued',
  'deliveries.recover',
  'deliveries.readEndpoints',
  'parents.propagate',
  'log.prune',
  'send',
  'send',
];

const fault: fc.Arbitrary<ScriptedFault> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      machine: fc.integer({ min: 1, max: 3 }),
      call: fc.constantFrom(...workerCalls),
      number: fc.oneof(fc.nat(3), fc.nat(12)),
      kind: fc.constantFrom(
        'crash before' as const,
        'crash after' as const,
        'pause before' as const,
        'pause after' as const,
        'fail' as const,
        'lose' as const,
        'slow' as const,
      ),
      length: fc.oneof(fc.nat(5 * second), fc.nat(60 * second)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      machine: fc.constant(0),
      call: fc.constant('events.append' as const),
      number: fc.nat(3),
      kind: fc.constantFrom(
        'crash before' as const,
        'crash after' as const,
        'fail' as const,
        'lose' as const,
        'slow' as const,
      ),
      length: fc.nat(5 * second),
    }),
  },
);

const life = (kind: Kind): fc.Arbitrary<History> =>
  fc.record({
    seed: fc.nat(),
    workers: fc.integer({ min: 1, max: 3 }),
    concurrency: fc.constantFrom(2, 16, 64),
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
      .tuple(list(machineEvent(kind), 0, kind.troubles), list(move(kind), 0, kind.moves ?? 0))
      .map(([troubles, moves]) => [...troubles, ...moves]),
    faults: list(fault, 0, kind.troubles),
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

/** All of it happens within a minute, and most receivers recover soon. */
const minutes = life({
  lasts: fc.constant(0),
  moment: fc.oneof(fc.nat(5 * second), fc.nat(minute)),
  answers: list(answer, 0, 4),
  afterwards: ok,
  slowness: fc.constantFrom(100, 100, 2 * second, 15 * second),
  transactions: { max: 10, events: 4 },
  acts: 6,
  troubles: 4,
});

/** One account has many events, and slow receivers. */
const floods = life({
  lasts: fc.constant(0),
  moment: fc.nat(20 * second),
  answers: fc.oneof({ weight: 3, arbitrary: none }, { weight: 1, arbitrary: fc.array(failure, { maxLength: 8 }) }),
  afterwards: ok,
  slowness: fc.constantFrom(100, 3 * second, 15 * second),
  transactions: { max: 5, events: 24 },
  acts: 2,
  troubles: 2,
});

/** Machines come and go while accounts have more to send than they may at once. */
const moves = life({
  lasts: fc.constant(0),
  moment: fc.nat(40 * second),
  answers: none,
  afterwards: ok,
  slowness: fc.constantFrom(3 * second, 15 * second),
  transactions: { max: 8, events: 8 },
  acts: 0,
  troubles: 1,
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
  troubles: 3,
});

/** It goes on for days: endpoints are disabled, what is held expires, and old rows are pruned. */
const days = life({
  lasts: fc.integer({ min: 5 * day, max: 9 * day }),
  moment: fc.oneof(fc.nat(20 * second), fc.nat(7 * day)),
  answers: fc.array(answer, { maxLength: 3 }),
  afterwards: fc.oneof(ok, fc.constant<ScriptedAnswer>({ status: 500 }), gone),
  slowness: fc.constantFrom(100, 5 * second),
  transactions: { max: 6, events: 1 },
  acts: 3,
  troubles: 2,
});

/** Kinds of histories. @internal */
export const historyKinds = { minutes, floods, moves, retries, days };

/**
 * Histories for fast-check, small enough that a failure can be read.
 * @example
 * await fc.assert(fc.asyncProperty(historyArbitrary, async (history) => checkLaws(await simulate(history))));
 * @public
 */
export const historyArbitrary: fc.Arbitrary<History> = fc.noBias(
  fc.oneof(
    { weight: 12, arbitrary: minutes },
    { weight: 3, arbitrary: floods },
    { weight: 2, arbitrary: moves },
    { weight: 3, arbitrary: retries },
    { weight: 2, arbitrary: days },
  ),
);
