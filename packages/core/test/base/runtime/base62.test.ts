import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBase62 } from '../../../src/base/runtime/base62.ts';
import { runs } from '../../support/runs.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const fromBase62 = (text: string): bigint =>
  [...text].reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n);

test.each([
  [[0], 1, '0'],
  [[61], 1, 'z'],
  [[62], 1, '10'],
  [[0, 255], 4, '0047'],
  [[255, 255, 255, 255], 6, '4gfFC3'],
  [Array(8).fill(255), 12, '0LygHa16AHYF'],
])('%j in %i places', (bytes, width, text) => {
  expect(toBase62(Uint8Array.from(bytes), width)).toBe(text);
});

test('is the big-endian number, padded to the width', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat({ max: 60 }), (bytes, width) => {
      const text = toBase62(bytes, width);
      expect(text).toMatch(/^[0-9A-Za-z]*$/);
      expect(text.length).toBeGreaterThanOrEqual(width);
      expect(fromBase62(text)).toBe(BigInt(`0x0${Buffer.from(bytes).toString('hex')}`));
    }),
    runs,
  );
});

test('the widths of secrets fit every value: 4, 8 and 32 bytes in 6, 12 and 43 digits', () => {
  for (const [bytes, width] of [
    [4, 6],
    [8, 12],
    [32, 43],
  ] as const) {
    expect(toBase62(new Uint8Array(bytes).fill(255), width)).toHaveLength(width);
    expect(toBase62(new Uint8Array(bytes), width)).toBe('0'.repeat(width));
  }
});
