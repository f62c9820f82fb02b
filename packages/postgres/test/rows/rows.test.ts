import { describe } from 'vitest';
import { rowsSuite } from './row-suites.ts';
import { serverRows } from './server-rows.ts';

describe('rows of PostgreSQL', () => rowsSuite(serverRows()));
