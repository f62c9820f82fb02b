import { test } from 'vitest';
import { requestWorld } from '../world.ts';
import { assertBooksOfProcessor } from './laws.ts';

test('after two thousand reports in any order, twice and at once, the books are those of the processor', async () => {
  await assertBooksOfProcessor(requestWorld(), { seed: 20_261_127, reports: 2_000 });
});
