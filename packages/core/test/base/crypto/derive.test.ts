import { expect, test } from 'vitest';
import { derive } from '../../../src/base/crypto/derive.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (given: Uint8Array): string => Buffer.from(given).toString('hex');

test('RFC 5869 appendix A.3: HKDF-SHA-256 without salt and info', () => {
  expect(hex(derive(bytes('0b'.repeat(22)), '', 42))).toBe(
    '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8',
  );
});

test('each purpose has other bytes, and a longer key does not repeat a shorter one of another purpose', () => {
  const secret = new Uint8Array(32).fill(7);
  const all = ['a', 'b', 'a v1', 'a v2', ''].map((purpose) => hex(derive(secret, purpose, 32)));
  expect(new Set(all).size).toBe(5);
});
