import { createTemplate } from '@partnerkit/workshop/services';
import { afterAll, beforeAll, describe } from 'vitest';
import { machinesLack, type Patroni, patroniNeeds, startPatroni } from '../../../workshop/src/machines/index.ts';
import { storageSuites } from '../contracts/storage-suites.ts';
import { prepareDatabase } from '../support/prepare-database.ts';

const lacks = machinesLack(patroniNeeds);
if (lacks !== undefined) console.log(`The contracts are not tested on Patroni: ${lacks}`);

describe.skipIf(lacks !== undefined)('the primary of Patroni', () => {
  let cluster: Patroni;
  const server = { url: '', template: '' };
  beforeAll(async () => {
    cluster = await startPatroni();
    server.url = cluster.url;
    server.template = (await createTemplate(cluster, prepareDatabase)).name;
  });
  afterAll(() => cluster.stop());
  storageSuites(server);
});
