import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dedupKey } from '../../src/events/dedup-key.ts';
import { runs } from '../support/runs.ts';

// Texts that would run together under a separator or a careless escape.
const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', '"', '\\', ',', ':', '|', '[', ']', '\ud800', '\\ud800', '\u0000', 'é', '0'),
  }),
  fc.string({ unit: 'binary' }),
);
const event = fc.record({
  objectName: text,
  data: fc.record({ id: text }),
  type: text,
  timestamp: fc.integer({ min: 0, max: 3 }),
});

test('golden', () => {
  const data = { id: 'sd_01', status: 'in_progress' };
  expect(
    dedupKey({ objectName: 'RequestSecurityDeposit', data, type: 'deposit_success', timestamp: 1_732_147_200 }),
  ).toBe('["RequestSecurityDeposit","sd_01","deposit_success",1732147200]');
});

test('two events share a key only if objectName, data.id, type and timestamp are the same', () => {
  fc.assert(
    fc.property(event, event, (a, b) => {
      const tuple = ({ objectName, data, type, timestamp }: typeof a) => [objectName, data.id, type, timestamp];
      const equal = tuple(a).every((part, index) => part === tuple(b)[index]);
      expect(dedupKey(a) === dedupKey(b)).toBe(equal);
    }),
    runs,
  );
});

test('the rest of data does not count', () => {
  fc.assert(
    fc.property(event, fc.dictionary(fc.string(), fc.jsonValue()), (one, more) => {
      expect(dedupKey({ ...one, data: { ...more, ...one.data } })).toBe(dedupKey(one));
    }),
    runs,
  );
});

test('moving text from one part to the next changes the key', () => {
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      fc.pre(b !== '');
      const timestamp = 1;
      const one = dedupKey({ objectName: a + b, data: { id: c }, type: '', timestamp });
      expect(one).not.toBe(dedupKey({ objectName: a, data: { id: b + c }, type: '', timestamp }));
    }),
    runs,
  );
});
