import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromUtf8, isIdentifier, toUtf8, utf8Length } from '../../../src/base/runtime/text.ts';
import { runs } from '../../support/runs.ts';

/** Any UTF-16 units at all: halves of surrogate pairs alone, in the wrong order, at the end. */
const anyUnits = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0xd800, max: 0xdfff }),
      fc.constantFrom(0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff),
    ),
    { maxLength: 30 },
  )
  .map((units) => String.fromCharCode(...units));

test('utf8Length is Buffer.byteLength, lone surrogates included', () => {
  fc.assert(
    fc.property(anyUnits, (text) => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text, 'utf8'));
    }),
    runs,
  );
});

test('UTF-8 there and back is the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.startsWith('\ufeff'));
      expect(fromUtf8(toUtf8(text))).toBe(text);
    }),
    runs,
  );
});

test.each([
  ['a lone continuation', [0x80]],
  ['a cut sequence', [0xc3]],
  ['an overlong form', [0xc0, 0xaf]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
  ['Latin-1', [0x63, 0x6c, 0xe9]],
])('%s is not UTF-8, and the next text is read as ever', (_name, bytes) => {
  expect(fromUtf8(Uint8Array.from(bytes))).toBeUndefined();
  expect(fromUtf8(Uint8Array.from([0xc3, 0xa9]))).toBe('é');
});

test('a byte order mark is dropped', () => {
  expect(fromUtf8(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]))).toBe('a');
});

describe('isIdentifier', () => {
  test.each([
    ['a', true],
    ['acc_é🏡', true],
    [' with blanks ', true],
    ['a'.repeat(256), true],
    ['é'.repeat(128), true],
    ['🏡'.repeat(64), true],
    ['', false],
    ['a'.repeat(257), false],
    ['é'.repeat(129), false],
    ['🏡'.repeat(65), false],
    ['a\u0000', false],
    ['a\nb', false],
    ['\u007f', false],
    ['\u001f', false],
    ['a\u0080', false],
    ['a\u009b31m', false],
    ['\u009f', false],
    ['\u00a0', true],
    ['\ud800', false],
    ['a\udc00b', false],
    [undefined, false],
    [null, false],
    [7, false],
    [['a'], false],
    [{}, false],
  ])('%j: %j', (text, expected) => {
    expect(isIdentifier(text)).toBe(expected);
  });

  test('means 1 to 256 UTF-8 bytes, well-formed, without control characters', () => {
    const longish = fc.tuple(anyUnits, fc.nat({ max: 300 })).map(([text, times]) => text + 'x'.repeat(times));
    fc.assert(
      fc.property(longish, (text) => {
        const bytes = Buffer.byteLength(text);
        const clean = [...text].every((char) => (char >= ' ' && char < '\u007f') || char > '\u009f');
        expect(isIdentifier(text)).toBe(bytes >= 1 && bytes <= 256 && text.isWellFormed() && clean);
      }),
      runs,
    );
  });
});
