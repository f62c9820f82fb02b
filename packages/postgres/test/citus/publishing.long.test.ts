import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { postgresRowStorage } from '../../src/rows/index.ts';
import { schema } from '../rows/rows-database.ts';
import { arrivals } from '../support/arrivals.ts';
import { begin } from '../support/host-transactions.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';
import { clusterUrl, useCluster } from './cluster.ts';

describe.skipIf(clusterUrl === undefined)('publish in a transaction of the host', () => {
  const { pool, recreate, run } = useCluster();
  beforeAll(async () => {
    await recreate();
    await run(
      `create table "${schema}".payments (id text primary key, twin text unique deferrable initially deferred)`,
    );
  });

  test('an event is stored with the change of its transaction, or neither is', async () => {
    const storage = postgresRowStorage(pool(), { schema });
    const sender = arrivals();
    const kit = openKit(storage, { sender });
    await addEndpoint(kit, 'acc_host', 'hook');
    const worker = kit.worker();
    worker.start();
    onTestFinished(() => worker.stop());
    const pay = async (id: string, twin: string, end: 'commit' | 'rollback'): Promise<void> => {
      const own = await begin(pool());
      await own.tx.query(`insert into "${schema}".payments values ($1, $2)`, [id, twin]);
      await kit.events.publish(payed('acc_host', id), { tx: own.tx });
      await own[end]();
    };
    await pay('rolled-back', 'a', 'rollback');
    await pay('first', 'b', 'commit');
    // The node refuses the commit itself. It is of one phase, so the coordinator tells that by an error of its own.
    await expect(pay('refused', 'b', 'commit')).rejects.toThrow('could not commit transaction');
    await pay('last', 'c', 'commit');
    await sender.all(['last']);
    expect([...sender.objects].toSorted()).toEqual(['first', 'last']);
    const stored = await run(`select id from "${schema}".payments order by id`);
    expect(stored).toEqual([{ id: 'first' }, { id: 'last' }]);
  });
});
