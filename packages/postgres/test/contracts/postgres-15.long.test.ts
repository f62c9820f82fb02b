import { inject, test } from 'vitest';
import { storageSuites } from './storage-suites.ts';

const server = inject('postgres15');
if (server) storageSuites(server);
else test.skip('this machine has no PostgreSQL 15', () => {});
