import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCopies } from '../../../src/webhooks/delivery-rules/find-copies.ts';
import { runs } from '../../support/runs.ts';

/** A text that counts how often a character of it is read. */
const counted = (text: string) => {
  const counter = { reads: 0 };
  const read = new Proxy(Array.from(text), {
    get: (characters, name) => {
      if (name !== 'length') counter.reads++;
      return Reflect.get(characters, name);
    },
  });
  return { read, counter };
};

const few = (unit: string, maxLength: number) => fc.string({ unit: fc.constantFrom(...unit), maxLength });

test('law: every copy is found, overlapping ones too', () => {
  fc.assert(
    fc.property(
      few('ab', 40),
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 }),
      (text, word) => {
        const expected = Array.from(text, (_, at) => [at, at + word.length]).filter(([at]) =>
          text.startsWith(word, at),
        );
        expect(findCopies(text, word, 1, [])).toEqual(expected);
      },
    ),
    runs,
  );
});

test.each([
  [
    'aaaa',
    'aaa',
    [
      [0, 3],
      [1, 4],
    ],
  ],
  ['aabab', 'aab', [[0, 3]]],
])('golden: in %j, copies of %j', (text, word, expected) => {
  expect(findCopies(text, word, 1, [])).toEqual(expected);
});

test('law: at each end, the longest prefix that reaches it is found', () => {
  fc.assert(
    fc.property(few('ab', 40), few('ab', 8), (text, beginning) => {
      const word = `${beginning}c`;
      const ends = [Math.floor(text.length / 2), text.length];
      const expected = [...new Set(ends)].flatMap((end) => {
        const lengths = Array.from({ length: word.length }, (_, index) => word.length - index);
        const longest = lengths.find((length) => length <= end && text.slice(0, end).endsWith(word.slice(0, length)));
        return longest === undefined || longest < 2 ? [] : [[end - longest, text.length]];
      });
      expect(findCopies(text, word, 2, ends)).toEqual(expected);
    }),
    runs,
  );
});

test.each([
  ['a', 'b'],
  ['ab', 'c'],
  ['aab', 'aa'],
  ['&', 'z'],
])('law: the characters read are at most a multiple of both lengths, when %j repeats', (unit, last) => {
  for (const size of [100, 1_000, 10_000]) {
    const [text, word] = [counted(unit.repeat(size)), counted(unit.repeat(size / 4) + last)];
    findCopies(text.read, word.read, 4, [text.read.length]);
    const reads = text.counter.reads + word.counter.reads;
    expect(reads).toBeLessThanOrEqual(6 * (text.read.length + word.read.length));
  }
});
