import { inject, test } from 'vitest';
import { assertTwiceEqualsOnce } from '../../../core/test/kit/imports/twice.ts';
import { fromPg, postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = useDatabase(inject('postgres'));

test('assertTwiceEqualsOnce: on PostgreSQL, with a process that dies at any statement', () =>
  assertTwiceEqualsOnce(
    async (gate) => {
      await database.reset({ storeAhead: 0 });
      const { query, queryIn, transaction } = fromPg(database.pool());
      const driver = {
        query: (...of: Parameters<typeof query>) => gate(() => query(...of)),
        queryIn: (...of: Parameters<typeof queryIn>) => gate(() => queryIn(...of)),
        transaction: (work: Parameters<typeof transaction>[0]) => gate(() => transaction(work)),
      } as ReturnType<typeof fromPg>;
      return postgresStorage(driver) as never;
    },
    { numRuns: 200, seed: 20_241_121 },
  ));
