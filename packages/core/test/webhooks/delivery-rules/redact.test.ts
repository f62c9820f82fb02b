import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../../../src/webhooks/delivery-rules/redact.ts';
import { runs } from '../../support/runs.ts';

const key = 'Zx9/Qw8+Er7?Ty6=Ui5>Op4';
const inBase64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['Base64', inBase64(key).replace(/=+$/, '')],
  ['Base64url', Buffer.from(key).toString('base64url')],
  ['Base64 in JSON of PHP', inBase64(key).replace(/=+$/, '').replaceAll('/', '\\/')],
  ['Base64 in a URL', encodeURIComponent(inBase64(key).replace(/=+$/, ''))],
  ['Base64url, whose first characters differ', 'YWI_ZC00Mg', 'ab?d-42'],
  ['Base64 without its two =', 'YWI/ZC00Mg', 'ab?d-42'],
  ['hexadecimal of four characters', '6b337976', 'k3yv'],
  ['hexadecimal', Buffer.from(key).toString('hex')],
  ['hexadecimal in capitals', Buffer.from(key).toString('hex').toUpperCase()],
])('a key is found in %s', (_name, spelling, value = key) => {
  expect(createRedactor(value)(`you sent: ${spelling}.`)).toBe('you sent: [redacted].');
});

test.each([0, 1, 2])('a key is found in Base64 of a longer text, %i characters into a group', (shift) => {
  const before = 'x'.repeat(30 + shift);
  const text = createRedactor(key)(inBase64(`${before}${key}${'y'.repeat(30)}`));
  const [left = '', right = ''] = text.split('[redacted]');
  expect(text).toContain('[redacted]');
  // A character of Base64 that the key shares with its neighbour stays.
  expect(Buffer.from(left, 'base64').toString()).toMatch(new RegExp(`^${before}`));
  expect(text.length).toBeLessThanOrEqual(44 + '[redacted]'.length + 42);
  expect(right.length).toBeLessThanOrEqual(44);
});

test.each([
  ['JSON within HTML', 'k3y-"v"-0123', 'k3y-\\&quot;v\\&quot;-0123'],
  ['decimal numbers of HTML', 'k3y/v+0123', 'k3y&#47;v&#043;0123'],
  ['hexadecimal numbers of HTML', 'k3y/v+0123', 'k3y&#x2f;v&#x002B;0123'],
  ['a URL within a URL', 'k3y/v+0123', 'k3y%252Fv%252B0123'],
  ['a key that looks like a URL’s spelling, as it is', 'k3y%2Bv', 'k3y%2Bv'],
  ['a key that looks like a URL’s spelling, in a URL', 'k3y%2Bv', 'k3y%252Bv'],
  ['a key that looks like a URL’s spelling, in HTML', 'k3y%2Bv&0', 'k3y%2Bv&amp;0'],
  ['a key that ends like a spelling begins', 'k3y-v%', 'k3y-v%'],
])('%s', (_name, value, spelling) => {
  expect(createRedactor(value)(`you sent: ${spelling}41.`)).toBe('you sent: [redacted]41.');
});

test.each([
  ['four characters of it', 'k3y-'],
  ['all but one', 'k3y-v/01'],
  ['a URL that is cut within a spelling', 'k3y-v%2'],
])('a key that the end of the text cuts is found: %s', (_name, cut) => {
  const redact = createRedactor('k3y-v/012');
  expect(redact(`you sent: ${cut}`)).toBe('you sent: [redacted]');
  expect(redact('you sent: k3y')).toBe('you sent: k3y');
});

test('copies are found in any order of their spellings', () => {
  expect(createRedactor('k3y-v')('6b33792d76, k3y-v, 6b33792d76.')).toBe('[redacted], [redacted], [redacted].');
});

test('a spelling within three others stays', () => {
  expect(createRedactor('k3y/v')('k3y%25252Fv')).toBe('k3y%25252Fv');
});

test('of a key of three characters, no encoding is searched: other texts have them, too', () => {
  expect(createRedactor('k3y')('k3y, 6b3379, azN5')).toBe('[redacted], 6b3379, azN5');
});

test('overlapping copies are redacted as one, adjacent ones separately', () => {
  expect(createRedactor('aaaa')('xaaaaaaay')).toBe('x[redacted]y');
  expect(createRedactor('k3y-v')('k3y-vk3y-v.')).toBe('[redacted][redacted].');
});

test('law: a text without the key is returned as it came', () => {
  const sign = fc.constantFrom(...'abc&%\\;#u0026+ é🏡"');
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 60 }), (text) => {
      expect(createRedactor('QZQZQZQZ')(text)).toBe(text);
    }),
    runs,
  );
});

test('law: no copy of a key is left, whatever surrounds it', () => {
  const sign = fc.constantFrom(...'ab&%\\;#u0026+ "\'');
  const value = fc.string({ unit: fc.constantFrom(...'ab&%\\;#u0026+"'), minLength: 5, maxLength: 12 });
  fc.assert(
    fc.property(
      value,
      fc.string({ unit: sign, maxLength: 20 }),
      fc.string({ unit: sign, maxLength: 20 }),
      (key, before, after) => {
        const text = createRedactor(key)(`${before}${key}${after}`);
        expect(text).toContain('[redacted]');
        expect(text.replaceAll('[redacted]', '\n')).not.toContain(key);
      },
    ),
    runs,
  );
});

test.each([
  ['&', 'z'],
  ['\\', 'z'],
  ['%', 'z'],
  ['a', 'b'],
  ['%2', '5'],
  ['&amp;', '&'],
  ['ab', 'c'],
])('an answer that repeats %j is searched in time that grows with its length', (sign, last) => {
  const value = `${sign.repeat(1_000)}`.slice(0, 1_023) + last;
  // Were each place compared with the whole key, this would take minutes.
  const text = sign.repeat(400_000);
  expect(createRedactor(value)(text).length).toBeGreaterThan(0);
});
