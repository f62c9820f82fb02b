import { expect, test } from 'vitest';
import { requestWorld } from '../world.ts';
import { assertBooksOfProcessor } from './laws.ts';

const reports = 100_000;

test('after a hundred thousand reports in any order, twice and at once, the books are those of the processor', async () => {
  const { rounds } = await assertBooksOfProcessor(requestWorld(), { seed: 20_261_128, reports });
  expect(rounds.reduce((sum, each) => sum + each.reports.length, 0)).toBeGreaterThanOrEqual(reports);
});
