import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as testing from '../../src/index.ts';
import { runs, smallest } from './support.ts';

const exported = Object.entries(testing).filter(([name]) => name.endsWith('Arbitrary') && name !== 'historyArbitrary');
/** Each arbitrary with no more than it needs. */
const every = exported.map(([name, make]): [string, fc.Arbitrary<unknown>] => [
  name,
  name === 'pageArbitrary'
    ? testing.pageArbitrary(testing.accountArbitrary())
    : (make as () => fc.Arbitrary<unknown>)(),
]);

/** Records of a literal's kind without `undefined` in them, lists, texts, numbers, booleans, bytes. */
const isPlain = (value: unknown): boolean => {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (value instanceof Uint8Array) return true;
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every(isPlain);
};

test('they are many', () => expect(every.length).toBeGreaterThan(35));

test.each(every)('%s makes plain values: deep comparison and JSON see all of them', (_name, arbitrary) => {
  fc.assert(fc.property(arbitrary, isPlain), runs);
});

test.each(every)('%s shrinks to something that is read at a glance', (_name, arbitrary) => {
  const text = JSON.stringify(smallest(arbitrary));
  expect(text.length, text).toBeLessThan(750);
  expect(text).not.toMatch(/[^\x20-\x7e]/);
});

test.each(every)('%s makes the same values from the same seed', (_name, arbitrary) => {
  expect(fc.sample(arbitrary, { ...runs, numRuns: 20 })).toEqual(fc.sample(arbitrary, { ...runs, numRuns: 20 }));
});
