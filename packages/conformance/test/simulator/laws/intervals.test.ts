import { expect, test } from 'vitest';
import { intersection } from '../../../src/simulator/laws/intervals.ts';

test('the intersection has the times that are in both', () => {
  const some = [
    { from: 0, to: 10 },
    { from: 20, to: 30 },
  ];
  const others = [
    { from: 5, to: 8 },
    { from: 9, to: 22 },
    { from: 30, to: 40 },
  ];
  const both = [
    { from: 5, to: 8 },
    { from: 9, to: 10 },
    { from: 20, to: 22 },
  ];
  expect(intersection(some, others)).toEqual(both);
  expect(intersection(others, some)).toEqual(both);
  expect(intersection(some, [])).toEqual([]);
});
