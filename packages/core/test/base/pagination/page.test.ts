import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageLimit } from '../../../src/base/pagination/page.ts';
import { runs } from '../../support/runs.ts';

test.each([
  [undefined, 50],
  [1, 1],
  [0, 1],
  [-5, 1],
  [2.9, 2],
  [100, 100],
  [101, 100],
  [Number.POSITIVE_INFINITY, 100],
  [Number.NEGATIVE_INFINITY, 1],
])('a limit of %s is %i', (limit, expected) => {
  expect(pageLimit(limit === undefined ? {} : { limit })).toBe(expected);
});

test('any limit reads 1 to 100 rows', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (limit) => {
      const rows = pageLimit({ limit });
      expect(Number.isInteger(rows) && rows >= 1 && rows <= 100).toBe(true);
    }),
    runs,
  );
});

test('a limit that is not a number is ignored', () => {
  expect(pageLimit({ limit: Number.NaN })).toBe(50);
});
