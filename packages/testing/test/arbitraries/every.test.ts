import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as testing from '../../src/index.ts';
import { runs, smallest } from './support.ts';

/** Each exported arbitrary, with no argument. */
const every = Object.entries(testing)
  .filter(([name]) => name.endsWith('Arbitrary'))
  .map(([name, make]): [string, fc.Arbitrary<unknown>] => [name, (make as () => fc.Arbitrary<unknown>)()]);

/** Object literals without `undefined` in them, arrays, strings, numbers, booleans, bytes. */
const isPlain = (value: unknown): boolean => {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (value instanceof Uint8Array) return true;
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every(isPlain);
};

test('there are arbitraries to test', () => expect(every.length).toBe(3));

test.each(every)(
  '%s makes plain values, the same from the same seed, and shrinks to a short one',
  (_name, arbitrary) => {
    const sample = () => fc.sample(arbitrary, { ...runs, numRuns: 200 });
    const values = sample();
    expect(values.filter((value) => !isPlain(value))).toEqual([]);
    expect(sample()).toEqual(values);
    const text = JSON.stringify(smallest(arbitrary));
    expect(text.length, text).toBeLessThan(750);
    expect(text).not.toMatch(/[^\x20-\x7e]/);
  },
);
