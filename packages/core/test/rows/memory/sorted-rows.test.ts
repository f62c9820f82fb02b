import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnyRow, Slot } from '../../../src/rows/memory/row-order.ts';
import { SortedRows } from '../../../src/rows/memory/sorted-rows.ts';
import { runs } from '../../support/runs.ts';

const byNumber = {
  compare: (a: AnyRow, b: AnyRow) => Number(a['number']) - Number(b['number']),
  compareWith: (row: AnyRow, [number]: readonly unknown[]) => Number(row['number']) - Number(number),
};

test('has rows in order from any start to any end, after any additions and removals', () => {
  const step = fc.record({
    from: fc.nat({ max: 2_000 }),
    count: fc.nat({ max: 700 }),
    stride: fc.constantFrom(1, 3),
    act: fc.constantFrom('add' as const, 'add' as const, 'delete' as const),
    isDescending: fc.boolean(),
  });
  const bounds = fc.tuple(fc.nat({ max: 4_000 }), fc.nat({ max: 4_000 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), bounds, fc.nat({ max: 1_200 }), (steps, [from, to], limit) => {
      const sorted = new SortedRows(byNumber);
      const model = new Map<number, Slot>();
      for (const { from: first, count, stride, act, isDescending } of steps) {
        const numbers = Array.from({ length: count }, (_, index) => first + index * stride);
        for (const number of isDescending ? numbers.reverse() : numbers) {
          const known = model.get(number);
          if (act === 'delete' && known) {
            sorted.delete(known);
            model.delete(number);
          } else if (act === 'add' && !known) {
            const slot = { row: { number } };
            sorted.add(slot);
            model.set(number, slot);
          }
        }
      }
      const expected = [...model.keys()].sort((a, b) => a - b);
      const read = (start: number, end: number, isBackward: boolean) => {
        const found: unknown[] = [];
        sorted.visit(start, end, isBackward, ({ number }) => found.push(number) < limit);
        return found;
      };
      expect(sorted.isEmpty()).toBe(expected.length === 0);
      const most = Math.max(limit, 1);
      expect(read(0, sorted.end(), false)).toEqual(expected.slice(0, most));
      expect(read(0, sorted.end(), true)).toEqual(expected.toReversed().slice(0, most));
      const between = expected.filter((number) => number >= from && number <= to);
      expect(read(sorted.seek([from], false), sorted.seek([to], true), false)).toEqual(between.slice(0, most));
      const within = expected.filter((number) => number > from && number < to).toReversed();
      expect(read(sorted.seek([from], true), sorted.seek([to], false), true)).toEqual(within.slice(0, most));
    }),
    runs,
  );
});
