import { beforeAll, describe, test } from 'vitest';
import { simulateRows } from '../rows/simulate-rows.ts';
import { clusterUrl, useCluster } from './cluster.ts';

describe.skipIf(clusterUrl === undefined)('the simulator', () => {
  const { recreate, run } = useCluster();
  beforeAll(recreate);
  const waiting = 'select count(distinct waiting_gpid)::int as n from citus_lock_waits';

  test('histories over rows of Citus break no law', async () => {
    await simulateRows({ url: clusterUrl ?? '', run, waiting, count: 2 });
  }, 3_600_000);
});
