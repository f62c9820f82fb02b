import { expect, test } from 'vitest';
import { requestWorld } from '../world.ts';
import { assertBooksHold } from './books-hosts.ts';

const commands = 1_000_000;

test('the books hold after each of a million commands of two hosts in memory', async () => {
  // Some rounds have several commands.
  const histories = { numRuns: commands / 250, rounds: 200, seed: 20_261_125, endOnFailure: true };
  const { given, accepted } = await assertBooksHold(() => requestWorld(), histories);
  expect(given).toBeGreaterThanOrEqual(commands);
  expect(accepted).toBeGreaterThanOrEqual(commands / 3);
});
