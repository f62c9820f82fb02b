import { expect, inject, test } from 'vitest';
import { propertyRuns } from '../../../../tools/tests/effort.ts';
import { assertFollowsTables, type OpenModelWorld } from '../../../core/test/requests/model.ts';
import { requestWorld } from '../../../core/test/requests/world.ts';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = useDatabase(inject('postgres'));

test('on PostgreSQL too, each command does what its table says or is refused, and its events contain every change', async () => {
  const open: OpenModelWorld = async (options) => {
    await database.reset({ storeAhead: 0 });
    const pool = database.pool();
    return requestWorld(() => postgresStorage(pool), options);
  };
  const seen = await assertFollowsTables(open, propertyRuns(60));
  // Core's own run of this property sees all 32 pairs.
  expect(seen.size).toBeGreaterThan(20);
});
