import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { minute } from '../../../src/base/runtime/time.ts';
import { memorySeenKeys } from '../../../src/stores/memory/seen-keys.ts';
import { start, testClock } from '../../support/clock.ts';
import { manyRuns as runs } from '../../support/runs.ts';

const leaseTime = 100;
const keepTime = 1_000;

describe('assertOneLivingLease', () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ act: fc.constant('claim' as const), key }) },
    // Any lease that was ever given out, stale ones too.
    {
      weight: 4,
      arbitrary: fc.record({
        act: fc.constantFrom('confirm' as const, 'release' as const),
        key,
        lease: fc.nat(),
        keep: fc.constantFrom(keepTime, keepTime / 2),
      }),
    },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('pass' as const), time: fc.integer({ min: 1, max: 150 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ act: fc.constant('pass' as const), time: fc.integer({ min: 900, max: 1_100 }) }),
    },
  );

  test('for any interleaving of claims, confirms, releases and expiries: one valid lease, and no confirmed key is claimed within its time', async () => {
    const counts = { claimed: 0, in_progress: 0, done: 0, confirmed: 0, stale: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = testClock();
        const seen = memorySeenKeys({ clock });
        const leases: { readonly key: string; readonly lease: string }[] = [];
        /** What must be true of each key. */
        const truth = new Map<string, { readonly lease?: string; readonly until: number }>();
        for (const each of steps) {
          const now = clock.now();
          if (each.act === 'pass') {
            clock.set(now + each.time);
            continue;
          }
          const known = truth.get(each.key);
          const living = known && known.until > now ? known : undefined;
          if (each.act === 'claim') {
            const claim = await seen.claim(each.key, leaseTime);
            expect(claim.kind).toBe(living ? (living.lease === undefined ? 'done' : 'in_progress') : 'claimed');
            counts[claim.kind]++;
            if (claim.kind !== 'claimed') continue;
            expect(leases.map(({ lease }) => lease)).not.toContain(claim.lease);
            leases.push({ key: each.key, lease: claim.lease });
            truth.set(each.key, { lease: claim.lease, until: now + leaseTime });
            continue;
          }
          const { key: claimedKey, lease } = leases[each.lease % Math.max(leases.length, 1)] ?? {
            key: each.key,
            lease: 'none',
          };
          const holds = truth.get(claimedKey)?.lease === lease;
          if (each.act === 'confirm') {
            // A lapsed lease that nobody took over still confirms.
            expect(await seen.confirm(claimedKey, lease, each.keep)).toBe(holds);
            counts[holds ? 'confirmed' : 'stale']++;
            if (holds) truth.set(claimedKey, { until: now + each.keep });
          } else {
            await seen.release(claimedKey, lease);
            if (holds) truth.delete(claimedKey);
          }
        }
      }),
      runs,
    );
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(25);
  });

  test('results are no promises', () => {
    const seen = memorySeenKeys({ clock: testClock() });
    const claim = seen.claim('a', leaseTime);
    expect(claim).toEqual({ kind: 'claimed', lease: expect.any(String) });
    expect(seen.claim('a', leaseTime)).toEqual({ kind: 'in_progress' });
    const lease = 'kind' in claim && claim.kind === 'claimed' ? claim.lease : '';
    expect(seen.confirm('a', lease, keepTime)).toBe(true);
    expect(seen.claim('a', leaseTime)).toEqual({ kind: 'done' });
    expect(seen.release('a', lease)).toBeUndefined();
  });

  test('without a lease nothing is confirmed or released, in untyped code too', async () => {
    const seen = memorySeenKeys({ clock: testClock() });
    const none = undefined as unknown as string;
    expect(await seen.confirm('unknown', none, keepTime)).toBe(false);
    const claim = await seen.claim('a', leaseTime);
    await seen.confirm('a', claim.kind === 'claimed' ? claim.lease : '', keepTime);
    expect(await seen.confirm('a', none, keepTime)).toBe(false);
    await seen.release('a', none);
    expect((await seen.claim('a', leaseTime)).kind).toBe('done');
  });

  test('a lease of one key does nothing to another', async () => {
    const seen = memorySeenKeys({ clock: testClock() });
    const a = await seen.claim('a', leaseTime);
    await seen.claim('b', leaseTime);
    const lease = a.kind === 'claimed' ? a.lease : '';
    expect(await seen.confirm('b', lease, keepTime)).toBe(false);
    await seen.release('b', lease);
    expect((await seen.claim('b', leaseTime)).kind).toBe('in_progress');
  });
});

describe('bounded memory', () => {
  const doneKeys = async (seen: ReturnType<typeof memorySeenKeys>, keys: readonly string[]) => {
    for (const key of keys) {
      const claim = await seen.claim(key, minute);
      if (claim.kind === 'claimed') expect(await seen.confirm(key, claim.lease, minute)).toBe(true);
    }
  };
  const names = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);

  test('of any number of done keys, at most maxKeys are stored, and at least the last half', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 0, max: 60 }), async (half, count) => {
        const clock = testClock();
        const maxKeys = 2 * half;
        const seen = memorySeenKeys({ clock, maxKeys });
        await doneKeys(seen, names(count));
        const held: string[] = [];
        // A claim of what is held adds nothing, and what is released again adds nothing either.
        for (const key of names(count).toReversed()) {
          const claim = await seen.claim(key, minute);
          if (claim.kind === 'claimed') break;
          held.unshift(key);
        }
        expect(held.length).toBeLessThanOrEqual(maxKeys);
        expect(held.length).toBeGreaterThanOrEqual(Math.min(half, count));
        expect(held).toEqual(names(count).slice(count - held.length));
      }),
      runs,
    );
  });

  test('a key in progress is never evicted', async () => {
    const seen = memorySeenKeys({ clock: testClock(), maxKeys: 10 });
    const working = await seen.claim('long', minute);
    await doneKeys(seen, names(500));
    expect((await seen.claim('long', minute)).kind).toBe('in_progress');
    expect(working.kind === 'claimed' && (await seen.confirm('long', working.lease, minute))).toBe(true);
    expect((await seen.claim('long', minute)).kind).toBe('done');
  });

  test('a key claimed long ago is done once it is confirmed, however many follow', async () => {
    for (let later = 0; later < 30; later++) {
      const seen = memorySeenKeys({ clock: testClock(), maxKeys: 10 });
      const claim = await seen.claim('long', minute);
      await doneKeys(seen, names(15));
      expect(claim.kind === 'claimed' && (await seen.confirm('long', claim.lease, minute))).toBe(true);
      await doneKeys(
        seen,
        names(later).map((name) => `later ${name}`),
      );
      const { kind } = await seen.claim('long', minute);
      expect(later < 5 ? ['done'] : ['done', 'claimed']).toContain(kind);
    }
  });

  test('a key claimed long ago is claimed again once it is released', async () => {
    for (let others = 0; others < 30; others++) {
      const seen = memorySeenKeys({ clock: testClock(), maxKeys: 10 });
      const claim = await seen.claim('long', minute);
      await doneKeys(seen, names(others));
      await seen.release('long', claim.kind === 'claimed' ? claim.lease : '');
      expect((await seen.claim('long', minute)).kind).toBe('claimed');
    }
  });

  test('an expired lease is dropped', async () => {
    const clock = testClock();
    const seen = memorySeenKeys({ clock, maxKeys: 10 });
    for (const key of names(5)) await seen.claim(`lost ${key}`, minute);
    clock.set(start + minute);
    await doneKeys(seen, names(100));
    expect((await seen.claim('lost k0', minute)).kind).toBe('claimed');
  });

  test('exactly the keys evicted before their time are reported', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 0, max: 60 }), async (half, count) => {
        const told: string[] = [];
        const onForgotten = (keys: readonly string[]) => void told.push(...keys);
        const seen = memorySeenKeys({ clock: testClock(), maxKeys: 2 * half, onForgotten });
        await doneKeys(seen, names(count));
        const before = [...told];
        const held: string[] = [];
        for (const key of names(count).toReversed()) {
          if ((await seen.claim(key, minute)).kind === 'claimed') break;
          held.unshift(key);
        }
        expect([...before, ...held]).toEqual(names(count));
      }),
      runs,
    );
  });

  test('a key confirmed at full capacity is stored, and not reported', async () => {
    const told: string[] = [];
    const seen = memorySeenKeys({ clock: testClock(), maxKeys: 4, onForgotten: (keys) => void told.push(...keys) });
    const first = await seen.claim('first', minute);
    for (const key of names(3)) await seen.claim(key, minute);
    expect(first.kind === 'claimed' && (await seen.confirm('first', first.lease, minute))).toBe(true);
    expect(told).toEqual([]);
    expect((await seen.claim('first', minute)).kind).toBe('done');
  });

  test('expired keys and keys in progress are not reported', async () => {
    const told: string[] = [];
    const clock = testClock();
    const seen = memorySeenKeys({ clock, maxKeys: 10, onForgotten: (keys) => void told.push(...keys) });
    await seen.claim('long', 10 * minute);
    await doneKeys(seen, names(9));
    clock.set(start + minute);
    await doneKeys(
      seen,
      names(9).map((name) => `later ${name}`),
    );
    expect(told).toEqual([]);
  });

  test('many simultaneous claims do not cause a swap each', async () => {
    const clock = testClock();
    const now = vi.spyOn(clock, 'now');
    const seen = memorySeenKeys({ clock, maxKeys: 10 });
    for (const key of names(5_000)) await seen.claim(key, minute);
    for (const key of names(5_000)) expect((await seen.claim(key, minute)).kind).toBe('in_progress');
    // Each swap looks at the clock once, each claim too.
    expect(now.mock.calls.length).toBeLessThan(10_000 + 20);
  });
});
