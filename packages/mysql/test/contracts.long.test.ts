import { describe } from 'vitest';
import { hasServer, useDatabase } from './support/database.ts';
import { storageSuites } from './support/storage-suites.ts';

describe.skipIf(!hasServer)('MariaDB', () => storageSuites(useDatabase()));
