import { afterAll, beforeAll, describe } from 'vitest';
import { type Galera, galeraNeeds, machinesLack, startGalera } from '../../../workshop/src/machines/index.ts';
import { useDatabase } from '../support/database.ts';
import { storageSuites } from '../support/storage-suites.ts';

const lacks = machinesLack(galeraNeeds);
if (lacks !== undefined) console.log(`The contracts are not tested on Galera: ${lacks}`);

describe.skipIf(lacks !== undefined)('one server of a Galera cluster', () => {
  let cluster: Galera;
  beforeAll(async () => {
    cluster = await startGalera();
  });
  afterAll(() => cluster.stop());
  storageSuites(useDatabase(undefined, () => cluster.url));
});
