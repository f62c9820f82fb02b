import { requestStoresContract } from '@partnerkit/testing/contracts';
import { test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { onEachPostgres } from '../support/each-postgres.ts';
import { useDatabase } from '../support/fixtures.ts';

onEachPostgres((server) => {
  const database = useDatabase(server);
  requestStoresContract({
    test,
    create: async (settings) => {
      await database.reset(settings);
      return { storage: postgresStorage(database.pool()), elapse: database.elapse };
    },
  });
});
