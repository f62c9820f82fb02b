import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closestWord, hint, quoted, unknownName } from '../../../src/base/runtime/did-you-mean.ts';
import { specifiedCatalogue as catalogue } from '../../../src/webhooks/catalogue/specified-catalogue.ts';
import { runs } from '../../support/runs.ts';

describe('closestWord', () => {
  test.each([
    ['paid', 'payed'],
    ['PAYED', 'payed'],
    ['pya', undefined],
    ['payde', 'payed'],
    ['cancelled', 'cancel'],
    ['finished', 'finish'],
    ['deposit', 'deposit_success'],
    ['refund', undefined],
    ['', undefined],
    ['x'.repeat(65), undefined],
  ])('of %j is %j', (word, meant) => {
    expect(closestWord(word, catalogue.eventTypes)).toBe(meant);
  });

  test('any one edit of a word of four letters or more is found', () => {
    const known = catalogue.eventTypes.filter((type) => type.length >= 4);
    const edited = fc
      .tuple(fc.constantFrom(...known), fc.nat(), fc.constantFrom('drop', 'double', 'swap'))
      .map(([word, at, edit]) => {
        const place = at % (word.length - 1);
        const [one = '', two = ''] = word.slice(place);
        const middle = { drop: two, double: one + one + two, swap: two + one }[edit] ?? '';
        return { word, typed: word.slice(0, place) + middle + word.slice(place + 2) };
      });
    fc.assert(
      fc.property(edited, ({ word, typed }) => {
        expect(closestWord(typed, [word])).toBe(word);
      }),
      runs,
    );
  });
});

test('a message quotes short words only', () => {
  expect(['paid', 'pks_1abc', 'two words', 'x'.repeat(65), 7, undefined].map((word) => quoted(word, 'it'))).toEqual([
    "'paid'",
    'it',
    'it',
    'it',
    'it',
    'it',
  ]);
});

test('golden: hints', () => {
  expect(hint('paid', ['payed', 'cancel'])).toBe("; did you mean 'payed'?");
  expect(hint('zzz', ['payed', 'cancel'])).toBe('; use one of payed, cancel.');
  expect(hint(7, ['payed'])).toBe('; use one of payed.');
  expect(unknownName('option', { keyz: 1 }, ['keys'])).toBe("there is no option 'keyz'; did you mean 'keys'?");
  expect(unknownName('option', { keys: 1 }, ['keys', 'issuer'])).toBeUndefined();
});
