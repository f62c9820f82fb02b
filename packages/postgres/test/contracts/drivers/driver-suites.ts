import {
  clientStoreContract,
  deliveryLogContract,
  deliveryQueueContract,
  endpointStoreContract,
  eventStoreContract,
  seenKeysContract,
  storageContract,
} from '@partnerkit/testing';
import { test } from 'vitest';
import { postgresSeenKeys, postgresStorage, type SqlDriver } from '../../../src/index.ts';
import { storageFixtures, type TestDatabase } from '../../support/fixtures.ts';

/** Every suite that storage is held to, through a driver. */
export const driverSuites = <Tx extends object>(
  database: TestDatabase,
  open: () => SqlDriver<Tx>,
  deviations: Readonly<Record<string, string>> = {},
): void => {
  const create = storageFixtures(database, () => postgresStorage(open()));
  clientStoreContract({ test, create });
  endpointStoreContract({ test, create });
  eventStoreContract({ test, create });
  deliveryQueueContract({ test, create, deviations });
  deliveryLogContract({ test, create });
  storageContract({ test, create });
  seenKeysContract({
    test,
    create: async (settings) => {
      await database.reset(settings);
      return { seen: postgresSeenKeys(open() as SqlDriver<object>), elapse: database.elapse };
    },
  });
};
