import { describe, test } from 'vitest';
import {
  clientStoreContract,
  deliveryLogContract,
  deliveryStoreContract,
  endpointStoreContract,
  eventStoreContract,
  parentPropagationContract,
  shardStoreContract,
  storageContract,
} from '../../src/contracts/index.ts';
import { rowStorageFixture } from './support.ts';

const suites = {
  clients: clientStoreContract,
  endpoints: endpointStoreContract,
  events: eventStoreContract,
  shards: shardStoreContract,
  deliveries: deliveryStoreContract,
  parents: parentPropagationContract,
  log: deliveryLogContract,
  storage: storageContract,
};

for (const [name, suite] of Object.entries(suites))
  describe(`storage over rows: ${name}`, () => suite({ test, create: (settings) => rowStorageFixture(settings) }));
