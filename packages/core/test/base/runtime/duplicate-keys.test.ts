import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasDuplicateKeys } from '../../../src/base/runtime/duplicate-keys.ts';
import { runs } from '../../support/runs.ts';

test('no JSON that was written from a value repeats a key', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(hasDuplicateKeys(text, JSON.parse(text))).toBe(false);
    }),
    runs,
  );
});

test.each([
  '{"a":1,"a":1}',
  '{"a":1,"\\u0061":2}',
  '{"a" :1, "b":{"c":":","c"\n:2}}',
  '[{"":0,"":0}]',
  '{"__proto__":1,"__proto__":2}',
])('%s repeats one', (text) => {
  expect(hasDuplicateKeys(text, JSON.parse(text))).toBe(true);
});
