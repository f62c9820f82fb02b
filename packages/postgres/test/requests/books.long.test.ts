import { expect, inject, test } from 'vitest';
import { assertBooksHold } from '../../../core/test/requests/books/books-hosts.ts';
import { requestWorld } from '../../../core/test/requests/world.ts';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = useDatabase(inject('postgres'));
const commands = 20_000;

test('the books hold after each of twenty thousand commands of two hosts on PostgreSQL', async () => {
  const open = async () => {
    await database.reset({ storeAhead: 0 });
    const pool = database.pool();
    return requestWorld(() => postgresStorage(pool));
  };
  // Some rounds have several commands.
  const histories = { numRuns: commands / 250, rounds: 200, seed: 20_261_125, endOnFailure: true };
  const { given, accepted } = await assertBooksHold(open, histories);
  expect(given).toBeGreaterThanOrEqual(commands);
  expect(accepted).toBeGreaterThanOrEqual(commands / 3);
});
