import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minute } from '../../../src/base/runtime/time.ts';
import { memoryRateLimiter } from '../../../src/stores/memory/rate-limiter.ts';
import { start, testClock } from '../../support/clock.ts';
import { runs } from '../../support/runs.ts';

const world = () => {
  const clock = testClock();
  return { clock, limiter: memoryRateLimiter({ clock }) };
};

test('of N simultaneous calls, exactly the available points are taken', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 40 }), async (points, racers) => {
      const { limiter } = world();
      const waits = await Promise.all(
        Array.from({ length: racers }, () => limiter.take('k', { points, window: minute })),
      );
      expect(waits.filter((wait) => wait === 0)).toHaveLength(Math.min(points, racers));
      for (const wait of waits) expect([0, minute]).toContain(wait);
    }),
    runs,
  );
});

test('a window begins with its first point, and ends for all of them', async () => {
  const { clock, limiter } = world();
  const take = () => limiter.take('k', { points: 2, window: minute });
  expect(await take()).toBe(0);
  clock.set(start + 40_000);
  expect([await take(), await take()]).toEqual([0, 20_000]);
  clock.set(start + minute - 1);
  expect(await take()).toBe(1);
  clock.set(start + minute);
  expect([await take(), await take(), await take()]).toEqual([0, 0, minute]);
});

test('keys do not share points', async () => {
  const { limiter } = world();
  const rule = { points: 1, window: minute };
  expect([await limiter.take('a', rule), await limiter.take('b', rule), await limiter.take('a', rule)]).toEqual([
    0,
    0,
    minute,
  ]);
});

describe('refund', () => {
  test('refunds one point, and never more than were taken', async () => {
    const { limiter } = world();
    const take = () => limiter.take('k', { points: 2, window: minute });
    expect([await take(), await take(), await take()]).toEqual([0, 0, minute]);
    await limiter.refund('k');
    expect([await take(), await take()]).toEqual([0, minute]);
    for (let times = 0; times < 5; times++) await limiter.refund('k');
    expect([await take(), await take(), await take()]).toEqual([0, 0, minute]);
  });

  test('a refund of an ended window has no effect', async () => {
    const { clock, limiter } = world();
    const take = () => limiter.take('k', { points: 1, window: minute });
    await take();
    clock.set(start + minute);
    await limiter.refund('k');
    expect([await take(), await take()]).toEqual([0, minute]);
  });

  test('an unused key is no error', async () => {
    await world().limiter.refund('k');
  });
});

test('for any sequence, no window grants more points than its rule', async () => {
  const step = fc.oneof(
    fc.constant('take' as const),
    fc.constant('refund' as const),
    fc.integer({ min: 1, max: 40_000 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 50 }), async (steps) => {
      const { clock, limiter } = world();
      const points = 3;
      let window: { used: number; readonly endsAt: number } | undefined;
      for (const each of steps) {
        if (typeof each === 'number') {
          clock.set(clock.now() + each);
        } else if (each === 'take') {
          const wait = await limiter.take('k', { points, window: minute });
          if (!window || window.endsAt <= clock.now()) window = { used: 0, endsAt: clock.now() + minute };
          expect(wait).toBe(window.used < points ? 0 : window.endsAt - clock.now());
          if (wait === 0) window.used++;
        } else {
          await limiter.refund('k');
          if (window) window.used = Math.max(window.used - 1, 0);
        }
      }
    }),
    runs,
  );
});

test('at least the last 50,000 keys are stored', async () => {
  const { limiter } = world();
  const rule = { points: 1, window: minute };
  await limiter.take('first', rule);
  for (let index = 0; index < 49_999; index++) await limiter.take(`k${index}`, rule);
  expect(await limiter.take('first', rule)).toBe(minute);
});
