import { setTimeout as after } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { postgresRowStorage } from '../../src/rows/index.ts';
import { schema } from '../rows/rows-database.ts';
import { arrivals } from '../support/arrivals.ts';
import { begin } from '../support/host-transactions.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';
import { clusterUrl, useCluster } from './cluster.ts';

/** Long: what is delivered earlier was woken for. */
const pollEvery = 20_000;
const count = 60;

describe.skipIf(clusterUrl === undefined)('an idle worker of another process', () => {
  const { pool, recreate, run } = useCluster();
  beforeAll(async () => {
    await recreate();
    await run(`create table "${schema}".payments (id text primary key)`);
  });

  test('is woken for a commit of the host, and does not poll for it', async () => {
    const sender = arrivals();
    const kit = openKit(postgresRowStorage(pool(), { schema }), { sender });
    await addEndpoint(kit, 'acc_woken', 'hook');
    const worker = kit.worker({ pollEvery });
    worker.start();
    onTestFinished(() => worker.stop());
    // A storage of its own has no other way to the worker than the server.
    const { events } = openKit(postgresRowStorage(pool(), { schema }), { sender: arrivals() });
    const times: number[] = [];
    for (let nth = 0; nth < count; nth++) {
      await after(100);
      const { tx, commit } = await begin(pool());
      await tx.query(`insert into "${schema}".payments values ($1)`, [`p${nth}`]);
      const arrived = sender.all([`p${nth}`]);
      await events.publish(payed('acc_woken', `p${nth}`), { tx });
      const start = performance.now();
      await commit();
      await arrived;
      times.push(performance.now() - start);
    }
    const ordered = times.toSorted((a, b) => a - b).map(Math.round);
    const [median = 0, most = 0] = [ordered[count / 2], ordered[Math.floor(count * 0.9)]];
    console.log(`from commit to receive: median ${median} ms, 90 % within ${most} ms`);
    // On a slow machine, a transaction may be open for longer than its wake lasts.
    expect(median).toBeLessThan(pollEvery / 2);
  }, 3_600_000);
});
