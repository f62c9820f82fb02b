import { expect, test } from 'vitest';
import { fraction } from '../../../src/base/runtime/random.ts';
import { fixedRandom, seededRandom } from '../../support/random.ts';

test.each([
  [[0, 0, 0, 0], 0],
  [[0, 0, 0, 1], 1 / 2 ** 32],
  [[0, 0, 1, 0], 1 / 2 ** 24],
  [[0, 1, 0, 0], 1 / 2 ** 16],
  [[128, 0, 0, 0], 0.5],
  [[255, 255, 255, 255], 1 - 1 / 2 ** 32],
])('the bytes %j are %d', (bytes, expected) => {
  expect(fraction(fixedRandom(...bytes))).toBe(expected);
});

test('lies in [0, 1), spread evenly', () => {
  const random = seededRandom();
  const tenths = new Array<number>(10).fill(0);
  for (let times = 0; times < 10_000; times++) {
    const tenth = Math.floor(fraction(random) * 10);
    tenths[tenth] = (tenths[tenth] ?? Number.NaN) + 1;
  }
  expect(tenths).toHaveLength(10);
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
