import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Batch, createMarks } from '../../src/deliveries/marks.ts';
import { runs } from '../support/runs.ts';

test('with nothing open everything is settled up to the largest time that was seen', () => {
  const marks = createMarks();
  expect(marks.settledTo()).toBe(0);
  marks.see(20);
  marks.see(10);
  expect(marks.settledTo()).toBe(20);
});

test('a stamp that is under way keeps the mark where its events may be dispatched', () => {
  const marks = createMarks();
  marks.see(10);
  const batch = marks.open();
  expect(batch.at).toBe(10);
  marks.see(50);
  expect(marks.settledTo()).toBe(10);
  marks.close(batch);
  expect(marks.settledTo()).toBe(50);
});

test('a batch is open until the last of its deliveries is settled', () => {
  const marks = createMarks();
  marks.see(10);
  const batch = marks.open();
  batch.open += 2;
  marks.see(50);
  for (const expected of [10, 10, 50]) {
    marks.close(batch);
    expect(marks.settledTo()).toBe(expected);
  }
});

test('the oldest open batch counts, whatever is settled in between', () => {
  const marks = createMarks();
  const batches = [10, 20, 30].map((at) => {
    marks.see(at);
    return marks.open();
  });
  marks.close(batches[1] as Batch);
  expect(marks.settledTo()).toBe(10);
  marks.close(batches[0] as Batch);
  expect(marks.settledTo()).toBe(30);
  marks.close(batches[2] as Batch);
  expect(marks.settledTo()).toBe(30);
});

test('for any order: the mark never passes an open batch, and no batch is opened behind a mark', () => {
  const step = fc.oneof(
    fc.record({ act: fc.constant('see' as const), at: fc.nat({ max: 1_000 }) }),
    fc.record({ act: fc.constant('open' as const), deliveries: fc.nat({ max: 3 }) }),
    fc.record({ act: fc.constant('close' as const), which: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const marks = createMarks();
      let open: Batch[] = [];
      let largest = 0;
      for (const each of steps) {
        if (each.act === 'see') marks.see(each.at);
        else if (each.act === 'open') {
          const batch = marks.open();
          batch.open += each.deliveries;
          expect(batch.at).toBeGreaterThanOrEqual(largest);
          open.push(batch);
        } else if (open.length > 0) marks.close(open[each.which % open.length] as Batch);
        open = open.filter((batch) => batch.open > 0);
        const mark = marks.settledTo();
        for (const batch of open) expect(mark).toBeLessThanOrEqual(batch.at);
        largest = Math.max(largest, mark);
      }
    }),
    runs,
  );
});
