import { seenKeysProperties } from '@partnerkit/conformance/contracts';
import { inject, test } from 'vitest';
import { propertyRuns } from '../../../../../tools/tests/effort.ts';
import { postgresSeenKeys } from '../../../src/index.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = useDatabase(inject('postgres'));

seenKeysProperties({
  test,
  runs: propertyRuns(100).numRuns,
  create: async (settings) => {
    await database.reset(settings);
    return { seen: postgresSeenKeys(database.pool()), elapse: database.elapse };
  },
});
