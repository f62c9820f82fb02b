import { catalogue, type DurationMs, type EventType, type SendFailure } from '@partnerkit/core';
import fc from 'fast-check';

/** What a receiver does with one POST. @public */
export type ScriptedAnswer =
  | { readonly status: number; readonly retryAfter?: string }
  | { readonly fails: SendFailure };

/**
 * One simulated life of a platform: who publishes what and when, how receivers answer, who crashes.
 *
 * Times are milliseconds after the start.
 * @public
 */
export interface History {
  /** Decides every interleaving. */
  readonly seed: number;
  /** How many workers run, on as many machines. */
  readonly workers: number;
  readonly concurrency: number;
  readonly pollEvery: DurationMs;
  /** How often workers prune. */
  readonly pruneEvery: DurationMs;
  /** Life goes on at least so long, though nothing waits any more. */
  readonly lasts: DurationMs;
  /** How far the store's clock is ahead of the workers'. */
  readonly storeAhead: DurationMs;
  /** How often a call of a port fails, as a probability, until all has been published. */
  readonly faults: number;
  readonly endpoints: readonly {
    readonly account: number;
    readonly events: readonly EventType<'RequestSecurityDeposit'>[];
    /** It takes the events of children too. @defaultValue false */
    readonly includeChildren?: boolean;
    /** Answers in order. */
    readonly answers: readonly ScriptedAnswer[];
    /** What it answers once they are used up: 200 where it is absent. */
    readonly afterwards?: ScriptedAnswer | undefined;
  }[];
  readonly publishes: readonly {
    readonly at: DurationMs;
    readonly account: number;
    /** A small number, so that events meet on one object. */
    readonly object: number;
    readonly type: EventType<'RequestSecurityDeposit'>;
    /** How long before it was published it happened. */
    readonly age?: DurationMs | undefined;
    readonly rollback: boolean;
    readonly idempotencyKey?: string | undefined;
  }[];
  /** Account 1 is a child of account 0. Absent: they have nothing to do with each other. */
  readonly family?:
    | {
        /** Until then; absent: for ever. */
        readonly leavesAt?: DurationMs | undefined;
        /** How often the directory fails or never answers, as a probability, until all has been published. */
        readonly faults: number;
      }
    | undefined;
  /** Kills the host (0) or a worker (1 …) at its so manieth step. */
  readonly crashes: readonly { readonly process: number; readonly step: number; readonly downFor: DurationMs }[];
  /** What partners do with their endpoints. */
  readonly changes: readonly {
    readonly at: DurationMs;
    readonly endpoint: number;
    readonly act: 'disable' | 'enable' | 'delete';
  }[];
}

const types = catalogue.RequestSecurityDeposit;
const type = fc.constantFrom(...types);
const hour = 3_600_000;
const day = 24 * hour;

const answer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ status: fc.constantFrom(200, 204, 299) }) },
  { weight: 3, arbitrary: fc.record({ status: fc.constantFrom(302, 400, 404, 500, 503) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      status: fc.constantFrom(429, 503, 500),
      retryAfter: fc.constantFrom('1', '90', '7200', '86400', 'soon'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ fails: fc.constantFrom<SendFailure>('timeout', 'dns', 'connect', 'tls', 'reset') }),
  },
);

const scripted = fc.oneof(
  { weight: 5, arbitrary: fc.array(answer, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(answer, { minLength: 9, maxLength: 14 }) },
);
/** Dead for good, but for what it answers to its first few. */
const dead: fc.Arbitrary<ScriptedAnswer> = fc.constantFrom(
  { status: 500 },
  { status: 500 },
  { status: 503, retryAfter: '86400' },
  { status: 410 },
);

/** All but how long it takes. */
const life = (
  times: Pick<History, 'lasts'> & { readonly pollEvery: readonly DurationMs[] },
  moment: (soon: DurationMs) => fc.Arbitrary<DurationMs>,
  afterwards: fc.Arbitrary<ScriptedAnswer | undefined>,
): fc.Arbitrary<History> =>
  fc.record({
    seed: fc.nat(),
    workers: fc.integer({ min: 1, max: 3 }),
    concurrency: fc.constantFrom(1, 2, 8),
    pollEvery: fc.constantFrom(...times.pollEvery),
    pruneEvery: fc.constantFrom(5 * hour, day),
    lasts: fc.constant(times.lasts),
    storeAhead: fc.constantFrom(0, 0, 7_000, -7_000, 3 * hour, -3 * hour),
    faults: fc.constantFrom(0, 0, 0.05, 0.2),
    endpoints: fc.array(
      fc.record({
        account: fc.nat(1),
        events: fc.oneof(fc.constant([...types]), fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
        includeChildren: fc.boolean(),
        answers: scripted,
        afterwards,
      }),
      { minLength: 1, maxLength: 3 },
    ),
    publishes: fc.array(
      fc.record({
        at: moment(4_000),
        account: fc.nat(1),
        object: fc.nat(1),
        type,
        age: fc.option(fc.nat(20_000), { nil: undefined }),
        rollback: fc.boolean(),
        idempotencyKey: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    family: fc.option(
      fc.record({
        leavesAt: fc.option(fc.nat(600_000), { nil: undefined }),
        faults: fc.constantFrom(0, 0.1, 0.4),
      }),
      { nil: undefined },
    ),
    crashes: fc.array(fc.record({ process: fc.nat(3), step: fc.nat(60), downFor: fc.nat(120_000) }), { maxLength: 3 }),
    changes: fc.array(
      fc.record({
        at: moment(600_000),
        endpoint: fc.nat(2),
        act: fc.constantFrom('disable', 'enable', 'enable', 'delete'),
      }),
      { maxLength: 3 },
    ),
  });

/**
 * Histories for fast-check, small enough that a failure can be read. Most end with what was published at once; in some, what is
 * published and changed comes over days, and they last until what is held expires.
 * @example
 * await fc.assert(fc.asyncProperty(historyArbitrary, async (history) => checkLaws(await simulate(history))));
 * @public
 */
export const historyArbitrary: fc.Arbitrary<History> = fc.oneof(
  {
    weight: 19,
    arbitrary: life(
      { lasts: 0, pollEvery: [hour / 2, hour, 6 * hour] },
      (soon) => fc.nat(soon),
      fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: dead }),
    ),
  },
  {
    weight: 1,
    arbitrary: life(
      { lasts: 26 * day, pollEvery: [3 * hour, 6 * hour] },
      (soon) => fc.oneof(fc.nat(soon), fc.nat(9 * day)),
      fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 3, arbitrary: dead }),
    ),
  },
);
