import {
  clientStoreContract,
  deliveryLogContract,
  deliveryStoreContract,
  endpointStoreContract,
  eventStoreContract,
  parentPropagationContract,
  seenKeysContract,
  shardStoreContract,
  storageContract,
} from '@partnerkit/testing/contracts';
import { test } from 'vitest';
import { postgresSeenKeys, postgresStorage, type SqlDriver } from '../../../src/index.ts';
import { storageFixtures, type TestDatabase } from '../../support/fixtures.ts';

/** The cases of each suite in which somebody is woken. Without notifications workers poll. */
const wakingCases = {
  shards: [
    'a watcher is woken after a commit, with the shards of the events',
    'a watcher is woken when workers join, begin to stop and leave, and when shards are released',
    'many can watch at once, and a stopped watcher is not woken',
  ],
  parents: ['copies wake watchers'],
  log: [
    'a finished delivery does not change, and a new one of the same event is due',
    'a replay counts as a change of its endpoint, and wakes workers',
  ],
};

/**
 * Every suite that storage is held to, through a driver.
 * @param polls - Why the driver cannot listen. Absent: it can.
 */
export const driverSuites = <Tx extends object>(
  database: TestDatabase,
  open: () => SqlDriver<Tx>,
  polls?: string,
): void => {
  const deviationsOf = (cases: readonly string[]): { readonly deviations: Readonly<Record<string, string>> } => ({
    deviations: polls === undefined ? {} : Object.fromEntries(cases.map((name) => [name, polls])),
  });
  const create = storageFixtures(database, () => postgresStorage(open()));
  clientStoreContract({ test, create });
  endpointStoreContract({ test, create });
  eventStoreContract({ test, create });
  shardStoreContract({ test, create, ...deviationsOf(wakingCases.shards) });
  deliveryStoreContract({ test, create });
  parentPropagationContract({ test, create, ...deviationsOf(wakingCases.parents) });
  deliveryLogContract({ test, create, ...deviationsOf(wakingCases.log) });
  storageContract({ test, create });
  seenKeysContract({
    test,
    create: async (settings) => {
      await database.reset(settings);
      return { seen: postgresSeenKeys(open() as SqlDriver<object>), elapse: database.elapse };
    },
  });
};
