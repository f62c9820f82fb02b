import { afterEach, test } from 'vitest';
import { sized } from '../../../tools/tests/effort.ts';
import { assertBooksOfProcessor } from '../../core/test/requests/processor/laws.ts';
import { requestWorld } from '../../core/test/requests/world.ts';
import { sqliteStorage } from '../src/index.ts';
import { migratedFile } from './support/files.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).toReversed()) end();
});

test('on SQLite, after reports in any order, twice and at once, the books are those of the processor', async () => {
  const { file, remove } = migratedFile();
  ends.push(remove);
  const world = requestWorld((clock) => {
    const storage = sqliteStorage(file, { clock });
    ends.push(storage.close);
    return storage;
  });
  await assertBooksOfProcessor(world, { seed: 20_261_127, reports: sized(200, 100_000) });
});
