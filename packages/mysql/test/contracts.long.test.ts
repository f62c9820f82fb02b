import { systemRandom } from '@partnerkit/core/ports';
import { rowInbox, rowSeenKeys, systemClock } from '@partnerkit/core/rows';
import {
  clientStoreContract,
  deliveryLogContract,
  deliveryStoreContract,
  endpointStoreContract,
  eventStoreContract,
  inboxContract,
  parentPropagationContract,
  requestStoresContract,
  seenKeysContract,
  shardStoreContract,
  storageContract,
} from '@partnerkit/testing/contracts';
import { describe, test } from 'vitest';
import { fromMysql2 } from '../src/index.ts';
import { mysqlRows } from '../src/rows/rows.ts';
import { hasServer, storageFixtures, useDatabase } from './support/database.ts';
import { turnedTime } from './support/turned-time.ts';

const suites = {
  clients: clientStoreContract,
  endpoints: endpointStoreContract,
  events: eventStoreContract,
  shards: shardStoreContract,
  deliveries: deliveryStoreContract,
  parents: parentPropagationContract,
  log: deliveryLogContract,
  requests: requestStoresContract,
  storage: storageContract,
};

describe.skipIf(!hasServer)('MariaDB', () => {
  const database = useDatabase();
  const create = storageFixtures(database);
  for (const [name, suite] of Object.entries(suites)) describe(name, () => suite({ test, create: create as never }));

  const rows = () => mysqlRows(fromMysql2(database.get().pool), { clock: systemClock, now: turnedTime });
  describe('receiver', () => {
    seenKeysContract({
      test,
      create: async (settings) => {
        await database.get().reset(settings);
        return { seen: rowSeenKeys(rows(), systemRandom), elapse: database.get().elapse };
      },
    });
    inboxContract({
      test,
      create: async (settings) => {
        await database.get().reset(settings);
        return { inbox: rowInbox(rows(), systemRandom), elapse: database.get().elapse };
      },
    });
  });
});
