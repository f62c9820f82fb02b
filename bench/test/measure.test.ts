import { expect, test } from 'vitest';
import { alone, atLeast, atMost, compared, inTurns, percentiles, type Sample, serverCpu } from '../measure.ts';

const rounds = (...rates: readonly number[]): readonly Sample[] => rates.map((rate) => ({ rate, cpu: 10 }));

test('sides take turns, the first round is not counted, and every other round is in reverse order', async () => {
  const calls: string[] = [];
  const side = (name: string) => async () => ({ rate: calls.push(name), cpu: 1 });
  const samples = await inTurns({ ours: side('ours'), theirs: side('theirs') }, 2);
  expect(calls).toEqual(['ours', 'theirs', 'theirs', 'ours', 'ours', 'theirs']);
  expect(samples.ours.map(({ rate }) => rate)).toEqual([4, 5]);
});

test('a side that does not do its work ends the run with its name and its error', async () => {
  const cause = new Error('POSTs that arrived: 0, instead of 100.');
  const working = async () => ({ rate: 1, cpu: 1 });
  const running = inTurns({ partnerkit: working, 'pg-boss': () => Promise.reject(cause) }, 1);
  await expect(running).rejects.toMatchObject({ message: 'The side "pg-boss" failed.', cause });
});

test('the median of the ratios of the rounds decides, and their range is stated', () => {
  const figure = compared('deliver', rounds(30, 10, 20), 'pg-boss', rounds(10, 10, 10), atLeast(2));
  expect(figure.other?.ratio).toEqual({ median: 2, lowest: 1, highest: 3 });
  expect(figure.holds).toBe(true);
  expect(compared('deliver', rounds(19), 'pg-boss', rounds(10), atLeast(2)).holds).toBe(false);
});

test('a goal of a figure without another side limits its value', () => {
  const measured = [{ rate: 1, cpu: 1, serverCpu: 60 }];
  expect(alone('prune', measured, atMost(50), serverCpu).holds).toBe(false);
  expect(alone('prune', measured, atMost(60), serverCpu).holds).toBe(true);
});

test('an unknown CPU of a server misses no goal', () => {
  expect(alone('prune', rounds(1), atMost(50), serverCpu)).toMatchObject({ holds: true, ours: { value: Number.NaN } });
});

test('percentiles are nearest ranks', () => {
  const hundred = Array.from({ length: 100 }, (_, place) => 100 - place);
  expect(percentiles(hundred)).toEqual({ p10: 10, p50: 50, p99: 99 });
  expect(percentiles([7])).toEqual({ p10: 7, p50: 7, p99: 7 });
});
