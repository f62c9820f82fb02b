import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type DurationMs, day, hour, minute } from '@partnerkit/core';
import type { RateLimiter } from '@partnerkit/core/adapter';
import { type Cases, type ContractOptions, type Fixture, runCases, whateverTheClocks } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { type StoreTime, slack } from '../support/store-time.ts';

/**
 * An unused limiter, with control over its time.
 * @public
 */
export interface RateLimiterFixture extends Fixture, StoreTime {
  /** The limiter under test. */
  readonly limiter: RateLimiter;
}

const key = 'login:203.0.113.7:client';
/** The key of another client; it must never change. */
const other = 'login:203.0.113.8:client';
const rule = { points: 3, window: hour };

/** Asserts that no point is left, and resolves to the time until the next one. */
const refused = async (limiter: RateLimiter, of: string = key, by = rule): Promise<DurationMs> => {
  const wait = await limiter.take(of, by);
  ok(wait > 0 && wait <= by.window, `the wait is ${wait}`);
  return wait;
};
const takes = async (limiter: RateLimiter, count: number, of: string = key, by = rule): Promise<void> => {
  for (let times = 0; times < count; times++) strictEqual(await limiter.take(of, by), 0, `point ${times + 1}`);
};

/** Another key has one point left, and must still have it after `act`. */
const beside =
  (act: (limiter: RateLimiter, fixture: RateLimiterFixture) => Promise<void>) =>
  async (fixture: RateLimiterFixture): Promise<void> => {
    const lasting = { points: 2, window: 20 * day };
    await takes(fixture.limiter, 1, other, lasting);
    await act(fixture.limiter, fixture);
    await takes(fixture.limiter, 1, other, lasting);
    await refused(fixture.limiter, other, lasting);
  };

const windowEnds = async (limiter: RateLimiter, { elapse }: RateLimiterFixture): Promise<void> => {
  await takes(limiter, 1);
  await elapse(hour / 2);
  await takes(limiter, 2);
  const wait = await refused(limiter);
  ok(wait <= hour / 2 && wait > hour / 2 - slack, `the window ends with the hour of its first point, not in ${wait}`);
  await elapse(wait - slack);
  await refused(limiter);
  await elapse(slack);
  await takes(limiter, 3);
  ok((await refused(limiter)) > hour - slack, 'a new window has begun');
};

const cases: Cases<RateLimiterFixture> = {
  'the points of the rule are granted, then a wait is returned': beside(async (limiter) => {
    await takes(limiter, 3);
    const wait = await refused(limiter);
    ok(wait > hour - slack, `the wait is ${wait}`);
  }),
  'simultaneous takes get exactly the available points': beside(async (limiter) => {
    const waits = await race(() => limiter.take(key, { points: 7, window: hour }), 40);
    strictEqual(waits.filter((wait) => wait === 0).length, 7);
    for (const wait of waits) ok(wait >= 0 && wait <= hour, `the wait is ${wait}`);
  }),
  'a window begins with its first point and ends for all of them': beside(windowEnds),
  ...whateverTheClocks('a window begins with its first point and ends for all of them', beside(windowEnds)),
  'a refusal takes no point and extends no wait': beside(async (limiter, { elapse }) => {
    await takes(limiter, 3);
    const wait = await refused(limiter);
    for (let times = 0; times < 10; times++) ok((await refused(limiter)) <= wait, 'the wait grew');
    await elapse(wait);
    await takes(limiter, 3);
  }),
  'a window of a day lasts a day': beside(async (limiter, { elapse }) => {
    const daily = { points: 1, window: day };
    await takes(limiter, 1, key, daily);
    await elapse(day - minute);
    await refused(limiter, key, daily);
    await elapse(minute);
    await takes(limiter, 1, key, daily);
  }),

  'a refunded point can be taken again': beside(async (limiter) => {
    await takes(limiter, 3);
    await limiter.refund(key);
    await takes(limiter, 1);
    await refused(limiter);
  }),
  'refunds are capped at the taken points': beside(async (limiter) => {
    await limiter.refund(key);
    await takes(limiter, 1);
    for (let times = 0; times < 5; times++) await limiter.refund(key);
    await takes(limiter, 3);
    await refused(limiter);
  }),
  'a refund to an ended window has no effect': beside(async (limiter, { elapse }) => {
    await takes(limiter, 3);
    await elapse(hour);
    await limiter.refund(key);
    await takes(limiter, 3);
    await refused(limiter);
  }),
  'a refund extends no window': beside(async (limiter, { elapse }) => {
    await takes(limiter, 3);
    await elapse(hour - minute);
    await limiter.refund(key);
    await takes(limiter, 1);
    ok((await refused(limiter)) <= minute);
    await elapse(minute);
    await takes(limiter, 3);
  }),
  'concurrent takes and refunds neither lose nor create points': beside(async (limiter) => {
    const roomy = { points: 40, window: hour };
    await race(async (index) => {
      await takes(limiter, 2, key, roomy);
      if (index % 2) await limiter.refund(key);
    });
    await takes(limiter, 10, key, roomy);
    await refused(limiter, key, roomy);
  }),
  'similar keys share no points': beside(async (limiter) => {
    const single = { points: 1, window: hour };
    const keys = ['a', 'A', 'a ', 'á', 'a:b', 'a*', 'a%', '🏡', 'login:2001:db8::/64', `${'x'.repeat(300)}1`];
    for (const each of keys) await takes(limiter, 1, each, single);
    const waits = await Promise.all(keys.map((each) => limiter.take(each, single)));
    deepStrictEqual(
      waits.filter((wait) => wait === 0),
      [],
    );
  }),
};

/**
 * Tests the obligations of a `RateLimiter`.
 * @example
 * const create = async ({ storeAhead }: FixtureSettings): Promise<RateLimiterFixture> => {
 *   let now = Date.now() + storeAhead;
 *   const clock = { now: () => now, sleep: async () => {} };
 *   const elapse = async (time: number) => {
 *     now += time;
 *   };
 *   return { limiter: memoryRateLimiter({ clock }), elapse };
 * };
 * rateLimiterContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const rateLimiterContract = (options: ContractOptions<RateLimiterFixture>): void => runCases(cases, options);
