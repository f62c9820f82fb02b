import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnyRow, Slot } from '../../../../src/stores/rows/memory/row-order.ts';
import { SortedRows } from '../../../../src/stores/rows/memory/sorted-rows.ts';
import { runs } from '../../../support/runs.ts';

const byNumber = {
  compare: (a: AnyRow, b: AnyRow) => Number(a['number']) - Number(b['number']),
  compareWith: (row: AnyRow, [number]: readonly unknown[]) => Number(row['number']) - Number(number),
};

test('has rows in order, from any position in either direction, after any additions and removals', () => {
  const step = fc.record({
    from: fc.nat({ max: 2_000 }),
    count: fc.nat({ max: 700 }),
    stride: fc.constantFrom(1, 3),
    act: fc.constantFrom('add' as const, 'add' as const, 'delete' as const),
    isDescending: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 6 }),
      fc.nat({ max: 4_000 }),
      fc.nat({ max: 1_200 }),
      (steps, from, limit) => {
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
        const read = (position: number, direction: 'visitAfter' | 'visitBefore') => {
          const found: unknown[] = [];
          sorted[direction](position, ({ number }) => found.push(number) < limit);
          return found;
        };
        expect(sorted.isEmpty()).toBe(expected.length === 0);
        const most = Math.max(limit, 1);
        expect(read(0, 'visitAfter')).toEqual(expected.slice(0, most));
        expect(read(sorted.end(), 'visitBefore')).toEqual(expected.toReversed().slice(0, most));
        for (const [isAfter, isPassed] of [
          [false, (number: number) => number < from],
          [true, (number: number) => number <= from],
        ] as const) {
          const position = sorted.seek([from], isAfter);
          const [passed, rest] = [expected.filter(isPassed), expected.filter((number) => !isPassed(number))];
          expect(read(position, 'visitAfter')).toEqual(rest.slice(0, most));
          expect(read(position, 'visitBefore')).toEqual(passed.toReversed().slice(0, most));
        }
      },
    ),
    runs,
  );
});
