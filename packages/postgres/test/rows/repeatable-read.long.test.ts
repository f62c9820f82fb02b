import { describe } from 'vitest';
import { rowsSuite, storageSuites } from './row-suites.ts';
import { serverRows } from './server-rows.ts';

// As engines without READ COMMITTED.
describe('rows at REPEATABLE READ', () => rowsSuite(serverRows('repeatable read')));
describe('storage over rows at REPEATABLE READ', () => storageSuites(serverRows('repeatable read')));
