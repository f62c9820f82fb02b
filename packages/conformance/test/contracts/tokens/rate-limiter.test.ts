import type { RateLimiter } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { type FixtureSettings, type RateLimiterFixture, rateLimiterContract } from '../../../src/contracts/index.ts';
import { type Double, findsEveryFault, meanwhile, sharing } from '../support/doubles.ts';
import { memoryRateLimiterFixture, slowRateLimiterFixture } from '../support/memory.ts';

describe('memory', () => {
  rateLimiterContract({ test, create: memoryRateLimiterFixture });
});

describe('memory as slow as a database', () => {
  rateLimiterContract({ test, create: slowRateLimiterFixture });
});

const broken = (
  how: string,
  breaks: Double<RateLimiterFixture>['breaks'],
  change: (limiter: RateLimiter, settings: FixtureSettings) => Partial<RateLimiter>,
): Double<RateLimiterFixture> => ({
  how,
  breaks,
  make: (fixture, settings) => ({ ...fixture, limiter: { ...fixture.limiter, ...change(fixture.limiter, settings) } }),
});

/** A window under another name, which begins anew. */
const renamed = ({ take, refund }: RateLimiter) => {
  const names = new Map<string, number>();
  const nameOf = (key: string): string => `${names.get(key) ?? 0} ${key}`;
  return {
    take: (key, rule) => take(nameOf(key), rule),
    refund: (key) => refund(nameOf(key)),
    anew: (key: string): void => {
      names.set(key, (names.get(key) ?? 0) + 1);
    },
  } satisfies RateLimiter & { anew: unknown };
};

const doubles: readonly Double<RateLimiterFixture>[] = [
  broken('there is one point more', ['the points of the rule are granted, then a wait is returned'], ({ take }) => ({
    take: (key, { points, window }) => take(key, { points: points + 1, window }),
  })),
  broken('points are counted, and then taken', ['simultaneous takes get exactly the available points'], ({ take }) => ({
    take: sharing(take),
  })),
  broken(
    'a window begins anew with each point',
    ['a window begins with its first point and ends for all of them'],
    ({ take }) => {
      // As a sliding window would say it.
      return { take: async (key, rule) => ((await take(key, rule)) === 0 ? 0 : rule.window) };
    },
  ),
  broken(
    'a window ends by the clock of the host',
    [
      "a window begins with its first point and ends for all of them: a store's clock 3 hours ahead",
      "a window begins with its first point and ends for all of them: a store's clock 3 hours behind",
    ],
    ({ take }, { storeAhead }) => ({
      take: (key, { points, window }) => take(key, { points, window: window - storeAhead / 6 }),
    }),
  ),
  broken('who is refused waits longer', ['a refusal takes no point and extends no wait'], ({ take }) => {
    let refusals = 0;
    return {
      take: async (key, rule) => {
        const wait = await take(key, rule);
        return wait === 0 ? 0 : wait + 1_000 * refusals++;
      },
    };
  }),
  broken('no window is longer than an hour', ['a window of a day lasts a day'], ({ take }) => ({
    take: (key, { points, window }) => take(key, { points, window: Math.min(window, 3_600_000) }),
  })),
  broken('nothing is refunded', ['a refunded point can be taken again'], () => ({ refund: async () => {} })),
  broken('one refund returns all points', ['a refunded point can be taken again'], (limiter) => {
    const { anew, ...rest } = renamed(limiter);
    return { ...rest, refund: async (key) => anew(key) };
  }),
  broken(
    'more points may be refunded than were taken',
    ['refunds are capped at the taken points'],
    ({ take, refund }) => {
      const extra = new Map<string, number>();
      return {
        take: async (key, rule) => {
          const wait = await take(key, rule);
          const left = extra.get(key) ?? 0;
          if (wait === 0 || left === 0) return wait;
          extra.set(key, left - 1);
          return 0;
        },
        refund: async (key) => {
          extra.set(key, (extra.get(key) ?? -1) + 1);
          await refund(key);
        },
      };
    },
  ),
  broken(
    'a point of the last window is refunded to the next one',
    ['a refund to an ended window has no effect'],
    ({ take, refund }) => {
      const owed = new Map<string, number>();
      return {
        take: async (key, rule) => {
          const wait = await take(key, rule);
          const left = owed.get(key) ?? 0;
          if (wait === 0 || left === 0) return wait;
          owed.set(key, left - 1);
          return 0;
        },
        refund: async (key) => {
          owed.set(key, 1);
          await refund(key);
        },
      };
    },
  ),
  broken('a refund begins a new window', ['a refund extends no window'], (limiter) => {
    const { anew, take, refund } = renamed(limiter);
    const used = new Map<string, number>();
    return {
      take: async (key, rule) => {
        const wait = await take(key, rule);
        if (wait === 0) used.set(key, (used.get(key) ?? 0) + 1);
        return wait;
      },
      refund: async (key) => {
        const taken = used.get(key) ?? 0;
        if (taken === 0) return refund(key);
        anew(key);
        used.set(key, 0);
        for (let times = 1; times < taken; times++) await take(key, { points: taken, window: 3_600_000 });
      },
    };
  }),
  broken(
    'points are read, refunded, and written',
    ['concurrent takes and refunds neither lose nor create points'],
    ({ refund }) => {
      let writing = false;
      return {
        refund: async (key) => {
          if (writing) return;
          writing = true;
          await meanwhile();
          await refund(key);
          writing = false;
        },
      };
    },
  ),
  broken('keys are compared without regard to case', ['similar keys share no points'], (limiter) => ({
    take: (key, rule) => limiter.take(key.toLowerCase(), rule),
  })),
];

findsEveryFault(rateLimiterContract, memoryRateLimiterFixture, doubles);
