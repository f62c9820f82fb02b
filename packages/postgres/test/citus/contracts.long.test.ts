import { describe } from 'vitest';
import { rowsSuite, storageSuites } from '../rows/row-suites.ts';
import { clusterUrl, useCluster } from './cluster.ts';

describe.skipIf(clusterUrl === undefined)('rows of Citus', () => rowsSuite(useCluster()));
describe.skipIf(clusterUrl === undefined)('storage over rows of Citus', () => storageSuites(useCluster()));
