import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type DurationMs, hour, processOnce, type SeenKeys } from '@partnerkit/core';
import fc from 'fast-check';
import { type Cases, type ContractOptions, runCases } from './contract.ts';
import type { SeenKeysFixture } from './seen-keys.ts';

/**
 * What the properties need, and how thorough they are.
 * @public
 */
export interface SeenKeysPropertiesOptions extends ContractOptions<SeenKeysFixture> {
  /** How many histories each property lives. @defaultValue 1,000; a store behind a network wants fewer */
  readonly runs?: number;
  /** Of all that is drawn: a failure prints what replays it. @defaultValue one fixed seed */
  readonly seed?: number;
}

const lease: DurationMs = hour;

const allEnds = ['works', 'fails', 'lapses', 'lapses and fails', 'dies before', 'dies after'] as const;
/** How one run of a handler ends: it may die before it took effect or after, and be so slow that its lease lapses. */
type End = (typeof allEnds)[number];

interface Story {
  /** How often the event is sent at once. */
  readonly copies: number;
  /** How the runs of its handler end, one after the other; then they work. */
  readonly ends: readonly End[];
}

const storyArbitrary: fc.Arbitrary<Story> = fc.record({
  copies: fc.integer({ min: 1, max: 4 }),
  ends: fc.array(fc.constantFrom(...allEnds), { maxLength: 4 }),
});

/** How a call reaches the store, when the scheduler wants it. */
type Reach = <T>(scheduler: fc.Scheduler, label: string, call: () => T | Promise<T>) => Promise<T>;

/** Nothing else happens until it is over: so a store that is far away lives the histories that memory does. */
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

/** Others are under way at once. */
const together: Reach = async (scheduler, label, call) => {
  await scheduler.schedule(Promise.resolve(), label);
  return call();
};

/** Every call reaches the store, and every answer its caller, when the scheduler wants it. */
const scheduled = ({ claim, confirm, release }: SeenKeys, scheduler: fc.Scheduler, reach: Reach): SeenKeys => {
  const later = async <T>(name: string, call: () => T | Promise<T>): Promise<T> => {
    const answer = await reach(scheduler, `${name} asked`, call);
    await scheduler.schedule(Promise.resolve(), `${name} answered`);
    return answer;
  };
  return {
    claim: (...asked) => later('claim', () => claim(...asked)),
    confirm: (...asked) => later('confirm', () => confirm(...asked)),
    release: (...asked) => later('release', () => release(...asked)),
  };
};

/** A delivery that is being handled. */
interface Run {
  readonly key: string;
  /** It has a lease, or asks for one. */
  leased: boolean;
  /** It died, or its lease lapsed: another may rightly do the same once more. */
  excused: boolean;
  working: boolean;
}

/** Receivers that share a store, and all that happened to them. */
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
        claim: async (...asked) => {
          run.leased = true;
          const claim = await seen.claim(...asked);
          run.leased = claim.kind === 'claimed';
          return claim;
        },
      },
      scheduler,
      reach,
    );
  const open = new Set<Run>();
  /** Those that took effect. */
  const effects: Run[] = [];
  const effectsOf = (key: string): readonly Run[] => effects.filter((run) => run.key === key);
  const lapse = (): Promise<void> =>
    alone(scheduler, 'lapse', async () => {
      await elapse(lease);
      for (const run of open) run.excused ||= run.leased;
    });

  /** What a handler does. Should its process die on the way, it never ends. */
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

  /** One delivery: whether the sender was told that it arrived. */
  const deliver = async (key: string): Promise<boolean> => {
    const run: Run = { key, leased: false, excused: false, working: false };
    const death = Promise.withResolvers<'died'>();
    open.add(run);
    const handled = processOnce(storeOf(run), key, () => work(run, () => death.resolve('died')), { lease }).catch(
      (cause: unknown) => {
        if (cause instanceof Error && cause.message === 'The handler failed.') return 'failed';
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
    'whatever duplicates, failures, crashes and lapsed leases come together: no event is lost, and none is processed twice without a crash or a lapse':
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
            // Each round ends one run of every event that waits, at least.
            for (let round = 0; waiting.length > 0 && round < 10; round++) {
              const left = [...ends.values()].flat();
              const arrived = await scheduler.waitFor(Promise.all(waiting.map(deliver)));
              waiting = waiting.filter((_, index) => !arrived[index]);
              // Who failed released its claim; who died holds it until it lapses.
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
    'of any number that get an event at once exactly one processes it': async (fixture) => {
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
 * Lives thousands of seeded histories over a `SeenKeys`, in any order of its calls and their answers: senders that repeat, handlers that
 * fail, processes that die at every point, leases that lapse under who still works.
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
