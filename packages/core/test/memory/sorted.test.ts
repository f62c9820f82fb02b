import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSorted } from '../../src/memory/sorted.ts';
import { runs } from '../support/runs.ts';

test('holds entries in order from any start, after any additions and removals', () => {
  const step = fc.record({
    from: fc.nat({ max: 2_000 }),
    count: fc.nat({ max: 700 }),
    stride: fc.constantFrom(1, 3),
    act: fc.constantFrom('add' as const, 'add' as const, 'delete' as const),
    isDescending: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), fc.nat({ max: 4_000 }), (steps, from) => {
      const sorted = createSorted<number>((a, b) => a - b);
      const model = new Set<number>();
      for (const { from: first, count, stride, act, isDescending } of steps) {
        const entries = Array.from({ length: count }, (_, index) => first + index * stride);
        for (const entry of isDescending ? entries.reverse() : entries) {
          if (act === 'delete') {
            sorted.delete(entry);
            model.delete(entry);
          } else if (!model.has(entry)) {
            sorted.add(entry);
            model.add(entry);
          }
        }
      }
      const expected = [...model].sort((a, b) => a - b);
      expect(sorted.size()).toBe(expected.length);
      expect([...sorted.from()]).toEqual(expected);
      expect([...sorted.from((entry) => entry >= from)]).toEqual(expected.filter((entry) => entry >= from));
    }),
    runs,
  );
});
