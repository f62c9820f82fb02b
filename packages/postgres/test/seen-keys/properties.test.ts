import { seenKeysProperties } from '@partnerkit/testing';
import { inject, test } from 'vitest';
import { postgresSeenKeys } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = useDatabase(inject('postgres'));

seenKeysProperties({
  test,
  runs: 100,
  create: async (settings) => {
    await database.reset(settings);
    return { seen: postgresSeenKeys(database.pool()), elapse: database.elapse };
  },
});
