import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day, hour, minute, second, toSeconds } from '../../../src/base/runtime/time.ts';
import { runs } from '../../support/runs.ts';

test('durations in milliseconds', () => {
  expect([second, minute, hour, day]).toEqual([1_000, 60_000, 3_600_000, 86_400_000]);
});

test('toSeconds rounds down', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8_640_000_000_000_000 }), (at) => {
      const seconds = toSeconds(at);
      expect(Number.isSafeInteger(seconds)).toBe(true);
      expect(at - seconds * second).toBeGreaterThanOrEqual(0);
      expect(at - seconds * second).toBeLessThan(second);
    }),
    runs,
  );
});
