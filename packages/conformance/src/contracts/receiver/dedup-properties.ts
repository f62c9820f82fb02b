import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type DurationMs, hour } from '@partnerkit/core';
import { processOnce, type SeenKeys } from '@partnerkit/core/adapter';
import fc from 'fast-check';
import { withResolvers } from '../../node-20.ts';
import { type Cases, type ContractOptions, runCases } from '../support/contract.ts';
import type { SeenKeysFixture } from './seen-keys.ts';

/**
 * Options of {@link seenKeysProperties}.
 * @public
 */
export interface SeenKeysPropertiesOptions extends ContractOptions<SeenKeysFixture> {
  /** Number of histories per property. @defaultValue 1,000; use fewer for a store behind a network */
  readonly runs?: number;
  /** Seed of all random values; a failure prints how to replay it. @defaultValue a fixed seed */
  readonly seed?: number;
}

const lease: DurationMs = hour;

const allEnds = ['works', 'fails', 'lapses', 'lapses and fails', 'dies before', 'dies after'] as const;
/** How one run of a handler ends: it may die before or after its effect, or take so long that its lease expires. */
type End = (typeof allEnds)[number];

interface Story {
  /** Number of simultaneous copies of the event. */
  readonly copies: number;
  /** The ends of the runs of its handler, in order; later runs succeed. */
  readonly ends: readonly End[];
}

const storyArbitrary: fc.Arbitrary<Story> = fc.record({
  copies: fc.integer({ min: 1, max: 4 }),
  ends: fc.array(fc.constantFrom(...allEnds), { maxLength: 4 }),
});

/** How a call reaches the store, in the order of the scheduler. */
type Reach = <T>(scheduler: fc.Scheduler, label: string, call: () => T | Promise<T>) => Promise<T>;

/** Runs one call to its end before the next, so a remote store sees the same histories as memory. */
const alone: Reach = async <T>(scheduler: fc.Scheduler, label: string, call: () => T | Promise<T>): Promise<T> => {
  const [outcome] = await new Promise<readonly [Promise<T>]>((resolve) => {
    const builder = async (): Promise<void> => {
      const called = (async () => call())();
      await called.catch(() => undefined);
      resolve([called]);
    };
    scheduler.scheduleSequence([{ label, builder }]);
  });
  return outcome;
};

/** Other calls run at the same time. */
const together: Reach = async (scheduler, label, call) => {
  await scheduler.schedule(Promise.resolve(), label);
  return call();
};

/** The scheduler decides when a call reaches the store, and when its result reaches the caller. */
const scheduled = ({ claim, confirm, release }: SeenKeys, scheduler: fc.Scheduler, reach: Reach): SeenKeys => {
  const later = async <T>(name: string, call: () => T | Promise<T>): Promise<T> => {
    const answer = await reach(scheduler, `${name} called`, call);
    await scheduler.schedule(Promise.resolve(), `${name} answered`);
    return answer;
  };
  return {
    claim: (...args) => later('claim', () => claim(...args)),
    confirm: (...args) => later('confirm', () => confirm(...args)),
    release: (...args) => later('release', () => release(...args)),
  };
};

/** A delivery in progress. */
interface Run {
  readonly key: string;
  /** It has a lease, or requests one. */
  leased: boolean;
  /** It died, or its lease expired: another run may repeat its effect once. */
  excused: boolean;
  working: boolean;
}

/** Receivers with a shared store, and everything that happened to them. */
const receivers = (
  { seen, elapse }: SeenKeysFixture,
  scheduler: fc.Scheduler,
  reach: Reach,
  ends: Map<string, End[]>,
) => {
  const storeOf = (run: Run): SeenKeys =>
    scheduled(
      {
        ...seen,
        claim: async (...args) => {
          run.leased = true;
          const claim = await seen.claim(...args);
          run.leased = claim.kind === 'claimed';
          return claim;
        },
      },
      scheduler,
      reach,
    );
  const open = new Set<Run>();
  /** Runs that took effect. */
  const effects: Run[] = [];
  const effectsOf = (key: string): readonly Run[] => effects.filter((run) => run.key === key);
  const lapse = (): Promise<void> =>
    alone(scheduler, 'lapse', async () => {
      await elapse(lease);
      for (const run of open) run.excused ||= run.leased;
    });

  /** The work of a handler. It never ends if its process dies. */
  const work = async (run: Run, die: () => void): Promise<void> => {
    const rival = [...open].find((each) => each.key === run.key && each.working && !each.excused);
    ok(!rival || run.excused, 'two work on one event at once');
    run.working = true;
    const end = ends.get(run.key)?.shift() ?? 'works';
    await scheduler.schedule(Promise.resolve(), end);
    if (end.startsWith('lapses')) await lapse();
    if (end.endsWith('fails')) {
      run.working = false;
      throw new Error('The handler failed.');
    }
    if (end !== 'dies before') effects.push(run);
    if (end === 'works' || end === 'lapses') return;
    run.excused = true;
    die();
    await new Promise(() => undefined);
  };

  /** One delivery; resolves to whether the sender got a confirmation. */
  const deliver = async (key: string): Promise<boolean> => {
    const run: Run = { key, leased: false, excused: false, working: false };
    const death = withResolvers<'died'>();
    open.add(run);
    const handled = processOnce(storeOf(run), key, () => work(run, () => death.resolve('died')), { lease }).catch(
      (cause: unknown) => {
        if ((cause as Error).message === 'The handler failed.') return 'failed';
        throw cause;
      },
    );
    const outcome = await Promise.race([handled, death.promise]);
    open.delete(run);
    const arrived = outcome === 'processed' || outcome === 'duplicate';
    if (arrived) ok(effectsOf(key).length > 0, `${outcome}, and no handler took effect`);
    return arrived;
  };
  return { deliver, effectsOf, lapse };
};

const properties = (runs: number, seed: number): Cases<SeenKeysFixture> => {
  const parameters = { numRuns: runs, seed };
  return {
    'with duplicates, failures, crashes and expired leases, no event is lost, and none is processed twice without a crash or an expiry':
      async (fixture) => {
        let histories = 0;
        const property = fc.asyncProperty(
          fc.scheduler(),
          fc.constantFrom(alone, together),
          fc.array(storyArbitrary, { minLength: 1, maxLength: 3 }),
          async (scheduler, reach, stories) => {
            const history = histories++;
            const keys = stories.map((_, index) => `history ${history}, event ${index}`);
            const ends = new Map(keys.map((key, index) => [key, [...(stories[index]?.ends ?? [])]]));
            const { deliver, effectsOf, lapse } = receivers(fixture, scheduler, reach, ends);
            let waiting = keys.flatMap((key, index) => Array<string>(stories[index]?.copies ?? 0).fill(key));
            // Each round ends at least one run of every waiting event.
            for (let round = 0; waiting.length > 0 && round < 10; round++) {
              const left = [...ends.values()].flat();
              const arrived = await scheduler.waitFor(Promise.all(waiting.map(deliver)));
              waiting = waiting.filter((_, index) => !arrived[index]);
              // A failed run releases its claim; the claim of a dead one expires.
              if (left.some((end) => end.startsWith('dies'))) await scheduler.waitFor(lapse());
            }
            deepStrictEqual(waiting, [], 'deliveries never arrived');
            for (const key of keys) {
              ok(effectsOf(key).length > 0, 'an event was lost');
              ok(effectsOf(key).filter(({ excused }) => !excused).length <= 1, 'an event was processed twice');
            }
          },
        );
        await fc.assert(property, parameters);
      },
    'exactly one of any number of simultaneous receivers processes an event': async (fixture) => {
      let histories = 0;
      const racing = fc.integer({ min: 2, max: 8 });
      const property = fc.asyncProperty(fc.scheduler(), racing, async (scheduler, count) => {
        const key = `race ${histories++}`;
        let effects = 0;
        const store = scheduled(fixture.seen, scheduler, together);
        const handle = () =>
          processOnce(store, key, async () => {
            await scheduler.schedule(Promise.resolve(), 'works');
            effects++;
          });
        const outcomes = await scheduler.waitFor(Promise.all(Array.from({ length: count }, handle)));
        strictEqual(effects, 1);
        strictEqual(outcomes.filter((outcome) => outcome === 'processed').length, 1);
        strictEqual(await scheduler.waitFor(handle()), 'duplicate');
      });
      await fc.assert(property, parameters);
    },
  };
};

/**
 * Runs thousands of seeded histories against a `SeenKeys`, with every order of calls and results: repeated sends,
 * failing handlers, processes that die at any point, leases that expire during the work.
 * @example
 * const create = async ({ storeAhead }: FixtureSettings): Promise<SeenKeysFixture> => {
 *   let now = Date.now() + storeAhead;
 *   const clock = { now: () => now, sleep: async () => {} };
 *   const elapse = async (time: number) => {
 *     now += time;
 *   };
 *   return { seen: memorySeenKeys({ clock }), elapse };
 * };
 * seenKeysProperties({ test, create, runs: 100 });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const seenKeysProperties = ({ runs = 1_000, seed = 20_241_121, ...options }: SeenKeysPropertiesOptions): void =>
  runCases(properties(runs, seed), options);
