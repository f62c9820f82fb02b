import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { day, minute } from '../../../src/base/runtime/time.ts';
import { memorySeenKeys } from '../../../src/stores/memory/seen-keys.ts';
import { processOnce } from '../../../src/stores/receiver/process-once.ts';
import type { SeenKeys } from '../../../src/stores/receiver/seen-keys.ts';
import { settled, start, testClock } from '../../support/clock.ts';
import { runs } from '../../support/runs.ts';

const world = () => {
  const clock = testClock();
  return { clock, seen: memorySeenKeys({ clock }) };
};
/** How a store fails: with a promise, or at once. */
const failures: readonly (readonly [string, (cause: Error) => Promise<never>])[] = [
  ['rejects', (cause) => Promise.reject(cause)],
  [
    'throws',
    (cause) => {
      throw cause;
    },
  ],
];
const nothing = () => undefined;
const unreachable = (): never => expect.unreachable('the work was done again');

test('the work runs once; later calls are duplicates', async () => {
  const { seen } = world();
  let done = 0;
  const work = () => {
    done++;
  };
  expect(await processOnce(seen, 'k', work)).toBe('processed');
  expect(await processOnce(seen, 'k', work)).toBe('duplicate');
  expect(await processOnce(seen, 'other', work)).toBe('processed');
  expect(done).toBe(2);
});

test('while the work runs, another call is in_progress', async () => {
  const { seen } = world();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = processOnce(seen, 'k', () => promise);
  expect(await processOnce(seen, 'k', unreachable)).toBe('in_progress');
  resolve();
  expect(await first).toBe('processed');
  expect(await processOnce(seen, 'k', unreachable)).toBe('duplicate');
});

test('a synchronous store costs no turn of the event loop', async () => {
  const { seen } = world();
  const work = vi.fn();
  const processing = processOnce(seen, 'k', work);
  expect(work).toHaveBeenCalledOnce();
  expect(seen.claim('k', minute)).toEqual({ kind: 'done' });
  expect(await processing).toBe('processed');
});

test('exactly one of N simultaneous calls does the work', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 20 }), fc.nat({ max: 5 }), async (racers, ticks) => {
      const { seen } = world();
      let done = 0;
      const work = async () => {
        for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
        done++;
      };
      const outcomes = await Promise.all(Array.from({ length: racers }, () => processOnce(seen, 'k', work)));
      expect(done).toBe(1);
      expect(outcomes.filter((outcome) => outcome === 'processed')).toHaveLength(1);
    }),
    runs,
  );
});

describe('work that fails', () => {
  test('rejects with its own error and can be repeated at once', async () => {
    const { seen } = world();
    const cause = new Error('booked out');
    for (const failing of [
      () => Promise.reject(cause),
      () => {
        throw cause;
      },
    ]) {
      await expect(processOnce(seen, 'k', failing)).rejects.toBe(cause);
    }
    expect(await processOnce(seen, 'k', nothing)).toBe('processed');
  });

  test.each(failures)(
    'rejects with its own error, even if the release %s; the lease lapses by itself',
    async (_how, fail) => {
      const { clock, seen } = world();
      const broken: SeenKeys = { ...seen, release: () => fail(new Error('down')) };
      const cause = new Error('booked out');
      await expect(processOnce(broken, 'k', () => Promise.reject(cause))).rejects.toBe(cause);
      clock.set(start + minute - 1);
      expect(await processOnce(seen, 'k', unreachable)).toBe('in_progress');
      clock.set(start + minute);
      expect(await processOnce(seen, 'k', nothing)).toBe('processed');
    },
  );
});

test('after a process died, its lease expires and the work is done', async () => {
  const { clock, seen } = world();
  void processOnce(seen, 'k', () => new Promise(nothing));
  await settled();
  clock.set(start + minute - 1);
  expect(await processOnce(seen, 'k', unreachable)).toBe('in_progress');
  clock.set(start + minute);
  expect(await processOnce(seen, 'k', nothing)).toBe('processed');
});

test('work that outlived its lease is processed, and the newer claim stands', async () => {
  const { clock, seen } = world();
  const slow = Promise.withResolvers<void>();
  const other = Promise.withResolvers<void>();
  const first = processOnce(seen, 'k', () => slow.promise);
  await settled();
  clock.set(start + minute);
  const second = processOnce(seen, 'k', () => other.promise);
  await settled();
  slow.resolve();
  expect(await first).toBe('processed');
  expect(await processOnce(seen, 'k', unreachable)).toBe('in_progress');
  other.resolve();
  expect(await second).toBe('processed');
  expect(await processOnce(seen, 'k', unreachable)).toBe('duplicate');
});

test('a key is remembered for 35 days, or for the option keep', async () => {
  const { clock, seen } = world();
  await processOnce(seen, 'k', nothing);
  await processOnce(seen, 'short', nothing, { keep: 2 * day });
  clock.set(start + 2 * day);
  expect(await processOnce(seen, 'short', nothing)).toBe('processed');
  clock.set(start + 35 * day - 1);
  expect(await processOnce(seen, 'k', unreachable)).toBe('duplicate');
  clock.set(start + 35 * day);
  expect(await processOnce(seen, 'k', nothing)).toBe('processed');
});

test.each(failures)('a claim that %s rejects, and no work runs', async (_how, fail) => {
  const cause = new Error('down');
  const broken: SeenKeys = { ...world().seen, claim: () => fail(cause) };
  await expect(processOnce(broken, 'k', unreachable)).rejects.toBe(cause);
});

/** What a careless store returns. */
const careless: readonly unknown[] = [undefined, null, true, 'claimed', [], {}, { kind: 'new' }, { kind: 'claimed' }];
const waysToAnswer = careless.flatMap((answer) => [
  [answer, 'at once', () => answer],
  [answer, 'by a promise', async () => answer],
]) as [unknown, string, () => never][];

test.each(waysToAnswer)('a claim that answers %j %s rejects, and no work runs', async (_answer, _how, claim) => {
  await expect(processOnce({ ...world().seen, claim }, 'k', unreachable)).rejects.toThrow(
    "partnerkit: SeenKeys.claim must return { kind: 'claimed', lease }, { kind: 'in_progress' } or { kind: 'done' }.",
  );
});

test.each([undefined, null, {}, 1, 'OK'])('a confirm that answers %j did not confirm', async (answer) => {
  for (const confirm of [() => answer, async () => answer]) {
    const told: unknown[] = [];
    const broken: SeenKeys = { ...world().seen, confirm: confirm as never };
    expect(await processOnce(broken, 'k', nothing, { onForgotten: (cause) => told.push(cause) })).toBe('processed');
    expect(told).toEqual([new TypeError('partnerkit: SeenKeys.confirm must return true, or false for a lost lease.')]);
  }
});

test.each(failures)('with a confirm that %s, the work is processed and onForgotten is called', async (_how, fail) => {
  const { clock, seen } = world();
  const cause = new Error('down');
  const broken: SeenKeys = { ...seen, confirm: () => fail(cause) };
  const told: unknown[] = [];
  expect(await processOnce(broken, 'k', nothing, { onForgotten: (forgotten) => told.push(forgotten) })).toBe(
    'processed',
  );
  expect(await processOnce(broken, 'other', nothing)).toBe('processed');
  expect(told).toEqual([cause]);
  expect(await processOnce(seen, 'k', unreachable)).toBe('in_progress');
  clock.set(start + minute);
  expect(await processOnce(seen, 'k', nothing)).toBe('processed');
});

test('onForgotten is not called for confirmed work', async () => {
  expect(await processOnce(world().seen, 'k', nothing, { onForgotten: unreachable })).toBe('processed');
});
