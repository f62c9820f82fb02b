import { expect, test } from 'vitest';
import { describeBroken, unorderedObjects } from '../../src/prove/processes/books.ts';

const event = (object: string, n: number, timestamp: number) => ({ object, n, timestamp });

test('timestamps that strictly increase with the events of their object are in order, whatever other objects have', () => {
  expect(unorderedObjects([event('a', 2, 20), event('b', 3, 5), event('a', 1, 10), event('a', 10, 21)])).toEqual([]);
});

test.each([
  ['equal', 10],
  ['earlier', 9],
])('an object whose later event has an %s timestamp is named, and no other', (_, timestamp) => {
  expect(unorderedObjects([event('a', 2, timestamp), event('a', 1, 10), event('b', 1, 1)])).toEqual(['a']);
});

test('a broken law is described by its name, the number of breaches and three examples', () => {
  expect(describeBroken({ kept: [], broken: ['a', 'b', 'c', 'd'] })).toEqual(['broken: 4 do not, such as a; b; c']);
});
