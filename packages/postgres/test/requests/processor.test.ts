import { inject, test } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { assertBooksOfProcessor } from '../../../core/test/requests/processor/laws.ts';
import { requestWorld } from '../../../core/test/requests/world.ts';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = useDatabase(inject('postgres'));

test('on PostgreSQL, after reports in any order, twice and at once, the books are those of the processor', async () => {
  await database.reset({ storeAhead: 0 });
  const pool = database.pool();
  const world = requestWorld(() => postgresStorage(pool));
  await assertBooksOfProcessor(world, { seed: 20_261_127, reports: sized(200, 100_000) });
});
