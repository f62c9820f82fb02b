import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCache } from '../../../src/base/runtime/cache.ts';
import { runs } from '../../support/runs.ts';

const keys = fc.integer({ min: 0, max: 12 }).map(String);
const step = fc.oneof(
  fc.record({ act: fc.constant('set' as const), key: keys, value: fc.nat() }),
  fc.record({ act: fc.constantFrom('get' as const, 'delete' as const), key: keys, value: fc.constant(0) }),
);

test('always returns the last value that was set', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), (size, steps) => {
      const cache = createCache<number>(size);
      const truth = new Map<string, number>();
      for (const { act, key, value } of steps) {
        if (act === 'set') {
          cache.set(key, value);
          truth.set(key, value);
          expect(cache.get(key)).toBe(value);
        } else if (act === 'delete') {
          cache.delete(key);
          truth.delete(key);
          expect(cache.get(key)).toBeUndefined();
        } else {
          expect([undefined, truth.get(key)]).toContain(cache.get(key));
        }
      }
    }),
    runs,
  );
});

test('remembers the last `size` keys that were used', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(keys, { maxLength: 60 }), (size, used) => {
      const cache = createCache<string>(size);
      for (const key of used) if (cache.get(key) === undefined) cache.set(key, key);
      const recent = [...new Set(used.toReversed())].slice(0, size);
      for (const key of recent.toReversed()) expect(cache.get(key)).toBe(key);
    }),
    runs,
  );
});

test('holds at most twice `size` keys', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 60 }), (size, steps) => {
      const cache = createCache<number>(size);
      for (const { act, key, value } of steps) act === 'set' ? cache.set(key, value) : cache[act](key);
      // A get may move a key to the young generation; reading by a copy of the steps' last state cannot add one.
      const held = Array.from({ length: 13 }, (_, key) => cache.get(String(key))).filter(
        (value) => value !== undefined,
      );
      expect(held.length).toBeLessThanOrEqual(2 * size);
    }),
    runs,
  );
});

test('an entry that was not used for a generation is dropped with it', () => {
  const cache = createCache<number>(2);
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index); // c begins a generation
  expect(cache.get('a')).toBe(0); // and brings a along
  cache.set('d', 3); // begins the next: b is gone
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([0, undefined, 2, 3]);
});
