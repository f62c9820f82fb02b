import { storageContracts } from '@partnerkit/conformance/contracts';
import { describe, test } from 'vitest';
import { hasServer, storageFixtures, useDatabase } from './support/database.ts';

/** Of all suites, the one about transactions. The others run in `test:long`. */
describe.skipIf(!hasServer)('storage on MariaDB', () => {
  storageContracts.storage({ test, create: storageFixtures(useDatabase()) as never });
});
