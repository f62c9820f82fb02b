import { movedRequestsContract } from '@partnerkit/conformance/contracts';
import { inject, test } from 'vitest';
import { fromPg, postgresStorage } from '../../src/index.ts';
import { configured } from '../support/configured-driver.ts';
import { storageFixtures, useDatabase } from '../support/fixtures.ts';

const database = useDatabase(inject('postgres'));
const create = storageFixtures(database, () => postgresStorage(configured(fromPg(database.pool()))));

movedRequestsContract({ test, create, objects: 10_000 });
