import { describe } from 'vitest';
import { storageSuites } from './row-suites.ts';
import { serverRows } from './server-rows.ts';

describe('storage over rows of PostgreSQL', () => storageSuites(serverRows()));
