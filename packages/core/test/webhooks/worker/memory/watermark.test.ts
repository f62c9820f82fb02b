import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Batch, createWatermark } from '../../../../src/webhooks/worker/memory/watermark.ts';
import { runs } from '../../../support/runs.ts';

test('with no open batch, the watermark is the largest time seen', () => {
  const watermark = createWatermark();
  expect(watermark.value()).toBe(0);
  watermark.observe(20);
  watermark.observe(10);
  expect(watermark.value()).toBe(20);
});

test('a dispatch in progress holds the watermark at its earliest dispatch time', () => {
  const watermark = createWatermark();
  watermark.observe(10);
  const batch = watermark.open();
  expect(batch.at).toBe(10);
  watermark.observe(50);
  expect(watermark.value()).toBe(10);
  watermark.close(batch);
  expect(watermark.value()).toBe(50);
});

test('a batch is open until the last of its deliveries is settled', () => {
  const watermark = createWatermark();
  watermark.observe(10);
  const batch = watermark.open();
  watermark.hold(batch);
  watermark.hold(batch);
  watermark.observe(50);
  for (const expected of [10, 10, 50]) {
    watermark.close(batch);
    expect(watermark.value()).toBe(expected);
  }
});

test('the oldest open batch holds the watermark, whatever later batches settle', () => {
  const watermark = createWatermark();
  const batches = [10, 20, 30].map((at) => {
    watermark.observe(at);
    return watermark.open();
  });
  watermark.close(batches[1] as Batch);
  expect(watermark.value()).toBe(10);
  watermark.close(batches[0] as Batch);
  expect(watermark.value()).toBe(30);
  watermark.close(batches[2] as Batch);
  expect(watermark.value()).toBe(30);
});

test('for any order, the watermark never passes an open batch, and no batch opens behind it', () => {
  const step = fc.oneof(
    fc.record({ act: fc.constant('see' as const), at: fc.nat({ max: 1_000 }) }),
    fc.record({ act: fc.constant('open' as const), deliveries: fc.nat({ max: 3 }) }),
    fc.record({ act: fc.constant('close' as const), which: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const watermark = createWatermark();
      let open: Batch[] = [];
      let largest = 0;
      for (const each of steps) {
        if (each.act === 'see') watermark.observe(each.at);
        else if (each.act === 'open') {
          const batch = watermark.open();
          for (let held = 0; held < each.deliveries; held++) watermark.hold(batch);
          expect(batch.at).toBeGreaterThanOrEqual(largest);
          open.push(batch);
        } else if (open.length > 0) watermark.close(open[each.which % open.length] as Batch);
        open = open.filter((batch) => batch.open > 0);
        const mark = watermark.value();
        for (const batch of open) expect(mark).toBeLessThanOrEqual(batch.at);
        largest = Math.max(largest, mark);
      }
    }),
    runs,
  );
});
