import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dedupKey } from '../../../src/webhooks/events/dedup-key.ts';
import { runs } from '../../support/runs.ts';

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
type Drawn = typeof event extends fc.Arbitrary<infer E> ? E : never;

const isSame = (a: Drawn, b: Drawn): boolean =>
  a.objectName === b.objectName && a.data.id === b.data.id && a.type === b.type && a.timestamp === b.timestamp;

test('golden', () => {
  const data = { id: 'sd_01', status: 'in_progress' };
  expect(
    dedupKey({ objectName: 'RequestSecurityDeposit', data, type: 'deposit_success', timestamp: 1_732_147_200 }),
  ).toBe('["RequestSecurityDeposit","sd_01","deposit_success",1732147200]');
});

const components = ['objectName', 'id', 'type', 'timestamp'] as const;

/** One event and, of another, the components that `changed` names. */
const withChanged = (one: Drawn, other: Drawn, changed: readonly (typeof components)[number][]): Drawn => ({
  objectName: changed.includes('objectName') ? other.objectName : one.objectName,
  data: changed.includes('id') ? other.data : one.data,
  type: changed.includes('type') ? other.type : one.type,
  timestamp: changed.includes('timestamp') ? other.timestamp : one.timestamp,
});

test.each(components)('an event that differs only in its %s has another key', (component) => {
  fc.assert(
    fc.property(event, event, (one, other) => {
      const changed = withChanged(one, other, [component]);
      fc.pre(!isSame(one, changed));
      expect(dedupKey(changed)).not.toBe(dedupKey(one));
    }),
    runs,
  );
});

test('two events share a key only if objectName, data.id, type and timestamp are the same', () => {
  fc.assert(
    fc.property(event, event, fc.subarray([...components]), (one, other, changed) => {
      const second = withChanged(one, other, changed);
      expect(dedupKey(second) === dedupKey(one)).toBe(isSame(one, second));
    }),
    runs,
  );
});

test('other fields of data do not change the key', () => {
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
