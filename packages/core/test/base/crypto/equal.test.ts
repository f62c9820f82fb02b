import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalInConstantTime } from '../../../src/base/crypto/equal.ts';
import { runs } from '../../support/runs.ts';

test('agrees with === on any two texts', () => {
  const near = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🏡', '\u0000'), maxLength: 3 });
  // Short and long ones take different ways.
  const padding = fc.constantFrom('', 'x'.repeat(39), 'x'.repeat(40), 'é'.repeat(41), 'x'.repeat(128));
  fc.assert(
    fc.property(near, near, padding, fc.boolean(), (a, b, pad, behind) => {
      const [one, other] = behind ? [a + pad, b + pad] : [pad + a, pad + b];
      expect(equalInConstantTime(one, other)).toBe(a === b);
      expect(equalInConstantTime(one, one)).toBe(true);
    }),
    runs,
  );
});

test('an earlier comparison does not affect the result', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '\u0000'), maxLength: 5 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 2, maxLength: 10 }), (pairs) => {
      for (const [a, b] of pairs) expect(equalInConstantTime(a, b)).toBe(a === b);
    }),
    runs,
  );
});

test('texts of unequal length, in code units or bytes, are unequal and cause no error', () => {
  expect(equalInConstantTime('', 'a')).toBe(false);
  expect(equalInConstantTime('', '\u0000')).toBe(false);
  expect(equalInConstantTime('abc', 'ab')).toBe(false);
  expect(equalInConstantTime('é', 'e')).toBe(false);
  expect(equalInConstantTime('é'.repeat(100), 'e'.repeat(100))).toBe(false);
  expect(equalInConstantTime('', '')).toBe(true);
});
