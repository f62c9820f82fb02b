import { badInputSuite } from '@partnerkit/conformance/http-suite';
import { inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = useDatabase(inject('postgres'));

badInputSuite({ test, storage: async () => postgresStorage(database.pool()) });
