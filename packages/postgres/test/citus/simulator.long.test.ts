import { beforeAll, describe, test } from 'vitest';
import { simulateRows } from '../rows/simulate-rows.ts';
import { clusterUrl, useCluster } from './cluster.ts';

/** How many histories. Each of the hundreds of statements of one is a round trip to a node. */
const count = Number(process.env['CITUS_HISTORIES'] ?? 50);
/** To count the statements that wait for a lock, the coordinator asks every node: most are answered earlier. */
const patience = 30;

describe.skipIf(clusterUrl === undefined)('the simulator', () => {
  const { recreate, run } = useCluster();
  beforeAll(recreate);
  const waiting = 'select count(distinct waiting_gpid)::int as n from citus_lock_waits';

  test('histories over rows of Citus break no law', async () => {
    await simulateRows({ url: clusterUrl ?? '', run, waiting, patience, count });
  }, 7_200_000);
});
