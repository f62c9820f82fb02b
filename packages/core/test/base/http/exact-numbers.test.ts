import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refuseRounded } from '../../../src/base/http/exact-numbers.ts';
import { runs } from '../../support/runs.ts';

test('JSON that JavaScript writes is left as it is', () => {
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false }), (json) => {
      // What fast-check writes holds -0, which reads as 0 and is no rounding.
      expect(JSON.parse(refuseRounded(json))).toEqual(JSON.parse(json));
    }),
    runs,
  );
});

test('a number of up to 15 digits is exact, however it is written', () => {
  const digits = fc.stringMatching(/^[1-9]\d{0,6}$/);
  fc.assert(
    fc.property(digits, digits, fc.integer({ min: 0, max: 30 }), fc.integer({ min: -9, max: 9 }), (a, b, zeros, e) => {
      for (const text of [`${a}.${b}${'0'.repeat(zeros)}`, `-${a}.${b}E+${zeros}`, `0.${'0'.repeat(zeros)}${b}e${e}`])
        expect(refuseRounded(text)).toBe(text);
    }),
    runs,
  );
});

test.each([
  '10.000000000000000001',
  '0.1000000000000000055511151231257827',
  '9007199254740993',
  '1e400',
  '-1e400',
  '1e-400',
  '120.00000000000000000000000000000001e0',
])('%s would be rounded', (text) => {
  expect(refuseRounded(`{"a":[${text}],"b":"${text}","\\"${text}":1}`)).toBe(`{"a":[[]],"b":"${text}","\\"${text}":1}`);
});

test('a long run of zeros is read in linear time', () => {
  const zeros = '0'.repeat(60_000);
  expect(refuseRounded(`0.${zeros}1`)).toBe('[]');
  expect(refuseRounded(`1.${zeros}`)).toBe(`1.${zeros}`);
});
