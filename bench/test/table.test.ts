import { expect, test } from 'vitest';
import { alone, atLeast, atMost, compared, type Sample, serverCpuMs } from '../measure.ts';
import { printed, tablesOf } from '../table.ts';

const side = (rate: number, cpu: number, serverCpu?: number): readonly Sample[] => [
  { rate, cpu, ...(serverCpu === undefined ? {} : { serverCpu }) },
];

test('a row states both rates, the CPU of a unit beside each, the ratio with its range, and the goal', () => {
  const figure = compared('deliver', side(7_400, 88, 52), 'pg-boss', side(14_800, 80.4, 68), atLeast(0.5));
  expect(tablesOf([figure])).toBe(
    `| measurement | compared with | partnerkit | the other | ratio | goal |
| --- | --- | --- | --- | --- | --- |
| deliver | pg-boss | 7,400/s, 88 + 52 µs | 14.8k/s, 80.4 + 68 µs | 0.50 (0.50 to 0.50) | at least 0.5 |`,
  );
});

test('a missed goal is named on the page and in the terminal', () => {
  const missed = compared('deliver', side(10, 1), 'pg-boss', side(20, 1), atLeast(1.3));
  expect(tablesOf([missed])).toContain('| at least 1.3 (**missed**) |');
  expect(printed(missed)).toBe(
    'deliver, of pg-boss: 10/s, 1 µs of 20/s, 1 µs: 0.50 (0.50 to 0.50) (goal at least 1.3) MISSED',
  );
});

test('a figure without another side has the goal in its unit', () => {
  const pruned = alone('prune an event', side(1, 1, 43), atMost(0.05), serverCpuMs);
  expect(tablesOf([pruned])).toContain('| prune an event |  | 0.043 ms |  |  | at most 0.05 ms |');
});

test('a series is one row, from its lowest to its highest figure', () => {
  const page = (ours: number, other: number) => ({
    ...compared('a page', side(ours, 100, 50), 'fewer rows', side(other, 100, 50), atLeast(0.75)),
    series: '2 pages',
  });
  expect(tablesOf([page(50, 100), page(200, 100)])).toContain(
    '| 2 pages | fewer rows | 50/s to 200/s, 150 µs | 100/s, 150 µs | 0.50 to 2.00 | at least 0.75 (**missed** by 1 of 2) |',
  );
});

test('a distribution is a table of its own, with a row for each side', () => {
  const sides = { partnerkit: { p10: 2, p50: 3, p99: 10.5 }, BullMQ: { p10: 1, p50: 2, p99: 4 } };
  expect(tablesOf([{ kind: 'distribution', name: 'publish to receive', sides }])).toBe(
    `| publish to receive, in ms | p10 | p50 | p99 |
| --- | --- | --- | --- |
| partnerkit | 2.00 | 3.00 | 10.50 |
| BullMQ | 1.00 | 2.00 | 4.00 |`,
  );
});
