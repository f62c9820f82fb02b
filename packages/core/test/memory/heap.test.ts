import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHeap } from '../../src/memory/heap.ts';
import { runs } from '../support/runs.ts';

test('gives entries in order, whatever was pushed in between', () => {
  const step = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant('pop' as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const heap = createHeap<number>((a, b) => a < b);
      let sorted: number[] = [];
      for (const each of steps) {
        if (each === 'pop') {
          const [first, ...rest] = sorted;
          expect(heap.pop()).toBe(first);
          sorted = rest;
        } else {
          heap.push(each);
          sorted = [...sorted, each].sort((a, b) => a - b);
        }
        expect(heap.peek()).toBe(sorted[0]);
      }
      expect(Array.from({ length: sorted.length + 1 }, () => heap.pop())).toEqual([...sorted, undefined]);
    }),
    runs,
  );
});
