import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIds, isId, newId } from '../../../src/base/runtime/id.ts';
import { start, testClock } from '../../support/clock.ts';
import { fixedRandom, seededRandom } from '../../support/random.ts';
import { runs } from '../../support/runs.ts';

const times = fc.integer({ min: 0, max: 2 ** 48 - 1 });

test('golden: the example of RFC 9562, appendix A.6', () => {
  const random = fixedRandom(0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f);
  expect(newId(testClock(0x017f22e279b0), random)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
});

test('is a UUID of version 7 and variant 10, with the milliseconds in front', () => {
  fc.assert(
    fc.property(times, fc.integer(), (at, seed) => {
      const id = newId(testClock(at), seededRandom(seed));
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(at);
      expect(isId(id)).toBe(true);
    }),
    runs,
  );
});

test('ids sort by time', () => {
  fc.assert(
    fc.property(times, times, fc.integer(), (a, b, seed) => {
      fc.pre(a !== b);
      const random = seededRandom(seed);
      const [first, second] = [newId(testClock(a), random), newId(testClock(b), random)];
      expect(first < second).toBe(a < b);
    }),
    runs,
  );
});

test('ids of one millisecond differ in all of 74 bits', () => {
  const clock = testClock(start);
  const random = seededRandom();
  const ids = Array.from({ length: 2_000 }, () => newId(clock, random));
  expect(new Set(ids).size).toBe(ids.length);
  const seen = ids.reduce(
    ({ ones, zeros }, id) => {
      const bits = BigInt(`0x${id.replaceAll('-', '')}`);
      return { ones: ones | bits, zeros: zeros | ~bits };
    },
    { ones: 0n, zeros: 0n },
  );
  const both = BigInt.asUintN(128, seen.ones & seen.zeros);
  expect(both.toString(16).padStart(32, '0')).toBe('000000000000' + '0fff' + '3fff' + 'ffffffffffff');
});

test('ids of one source increase within a millisecond, whatever its random bytes, and keep its time', () => {
  fc.assert(
    fc.property(times, fc.array(fc.nat({ max: 255 }), { minLength: 10, maxLength: 10 }), (at, pattern) => {
      // The counter of 42 bits starts below its end.
      const clock = testClock(at);
      const next = createIds(clock, fixedRandom(0, ...pattern.slice(1)));
      const ids = Array.from({ length: 300 }, next);
      expect(ids).toEqual([...new Set(ids)].sort());
      for (const id of ids) expect(id.slice(0, 14)).toBe(newId(clock, seededRandom()).slice(0, 14));
      for (const id of ids) expect(isId(id) && '89ab'.includes(id[19] ?? '')).toBe(true);
    }),
    runs,
  );
});

test('ids of one source begin anew in another millisecond, and differ from those of other sources', () => {
  const clock = testClock(start);
  const random = seededRandom();
  const [one, other] = [createIds(clock, random), createIds(clock, random)];
  const made = [one(), other(), one(), other()];
  clock.set(start - 1);
  const before = [one(), other()];
  clock.set(start);
  const all = [...made, ...before, one(), other()];
  // Three milliseconds in a row, from two sources.
  expect(new Set(all.map((id) => id.slice(0, 23))).size).toBe(3 * 2);
  for (const id of before) expect(made.every((each) => id < each)).toBe(true);
  expect(new Set(all.map((id) => id.slice(-8))).size).toBe(all.length);
});

test.each([
  ['', false],
  ['017f22e2-79b0-7cc3-98c4-dc0c0c07398f', true],
  ['017F22E2-79B0-7CC3-98C4-DC0C0C07398F', false],
  ['017f22e279b07cc398c4dc0c0c07398f', false],
  [' 017f22e2-79b0-7cc3-98c4-dc0c0c07398f', false],
  ['017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n', false],
  ['017f22e2-79b0-7cc3-98c4-dc0c0c07398g', false],
])('isId(%j) is %j', (text, expected) => {
  expect(isId(text)).toBe(expected);
});
