import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parseEnvelope } from '@partnerkit/core/wire';
import type pg from 'pg';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { postgresRowStorage } from '../../src/rows/index.ts';
import { schema } from '../rows/rows-database.ts';
import { arrivals } from '../support/arrivals.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';
import { clusterUrl, useCluster } from './cluster.ts';

/** Shell commands that stop and start the node that has the schema; `{port}` stands for its port. */
const [stop, start] = [process.env['CITUS_STOP'], process.env['CITUS_START']];
const accounts = Array.from({ length: 8 }, (_, nth) => `acc_${nth}`);
/** How long publishers go on before and after what happens. */
const calm = 3_000;
const publishers = 4;

/** Publishes payments without a pause, each with its row, until `stop`. */
const publishing = (pool: pg.Pool, publish: (accountId: string, id: string, tx: pg.PoolClient) => Promise<unknown>) => {
  const acknowledged = new Set<string>();
  let isOver = false;
  let longest = 0;
  let last = performance.now();
  const pay = async (): Promise<void> => {
    const id = randomUUID();
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(`insert into "${schema}".payments values ($1)`, [id]);
      await publish(accounts[acknowledged.size % accounts.length] ?? '', id, client);
      await client.query('commit');
      client.release();
      acknowledged.add(id);
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    } catch {
      client.release(true);
      await after(50);
    }
  };
  const loops = Array.from({ length: publishers }, async () => {
    while (!isOver) await pay().catch(() => after(50));
  });
  return {
    acknowledged,
    longest: () => Math.round(longest),
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
    },
  };
};

describe.skipIf(clusterUrl === undefined)('a cluster under load', () => {
  const { pool, recreate, run } = useCluster();
  beforeEach(async () => {
    await recreate();
    await run(`create table "${schema}".payments (id text primary key)`);
  });

  const place = async (): Promise<{ nodename: string; nodeport: number }> =>
    (
      await run(
        `select nodename, nodeport from citus_shards where table_name::text like '${schema}.%' and nodeport is not null limit 1`,
      )
    )[0] as { nodename: string; nodeport: number };
  const countPrepared = async (): Promise<number> => {
    const found = await run(
      "select result from run_command_on_all_nodes('select count(*) from pg_prepared_xacts where database = current_database()')",
    );
    return found.reduce((all, row) => all + Number(Reflect.get(row, 'result')), 0);
  };

  /** Lets something happen while payments are published and delivered, and checks the books. */
  const during = async (what: string, happen: () => Promise<void>): Promise<void> => {
    const storage = postgresRowStorage(pool(), { schema });
    const sender = arrivals();
    const kit = openKit(storage, { sender });
    for (const account of accounts) await addEndpoint(kit, account, account);
    const worker = kit.worker();
    worker.start();
    const { acknowledged, longest, stop } = publishing(pool(), (accountId, id, tx) =>
      kit.events.publish(payed(accountId, id), { tx }),
    );
    await after(calm);
    await happen();
    const before = acknowledged.size;
    // Until payments are acknowledged again.
    await vi.waitUntil(() => acknowledged.size > before + publishers, { timeout: 120_000, interval: 20 });
    await after(calm);
    await stop();
    await sender.all(acknowledged);
    await worker.stop();
    const payments = new Set(
      (await run(`select id from "${schema}".payments`)).map((row) => String(Reflect.get(row, 'id'))),
    );
    const sent = sender.posts.map(({ body }) => parseEnvelope(body));
    const stamped = sent.map((each) => `${each?.data.id} ${each?.timestamp}`);
    await vi
      .waitUntil(async () => (await countPrepared()) === 0, { timeout: 60_000, interval: 500 })
      .catch(() => undefined);
    const books = {
      lost: [...acknowledged].filter((id) => !sender.objects.has(id)).length,
      withoutPayment: [...sender.objects].filter((id) => !payments.has(id)).length,
      otherTimestamp: new Set(stamped).size - sender.objects.size,
      prepared: await countPrepared(),
    };
    const told = {
      ...books,
      acknowledged: acknowledged.size,
      twice: sent.length - sender.objects.size,
      longestPauseMs: longest(),
    };
    console.log(`${what}: ${JSON.stringify(told)}`);
    expect(books).toEqual({ lost: 0, withoutPayment: 0, otherTimestamp: 0, prepared: 0 });
  };

  test('a schema is moved to another node', async () => {
    await during('schema moved', async () => {
      const { nodename, nodeport } = await place();
      const [other] = await run(
        `select nodename, nodeport from pg_dist_node where shouldhaveshards and isactive and (nodename, nodeport) <> ('${nodename}', ${nodeport}) limit 1`,
      );
      if (!other) throw new Error('The cluster needs two nodes.');
      await run(
        `select citus_schema_move('${schema}', '${Reflect.get(other, 'nodename')}', ${Reflect.get(other, 'nodeport')})`,
      );
    });
  });

  test.skipIf(stop === undefined || start === undefined)(
    'the node of the schema is killed, and comes back',
    async () => {
      await during('node killed', async () => {
        const { nodeport } = await place();
        const act = (command = '') => promisify(execFile)('sh', ['-c', command.replaceAll('{port}', String(nodeport))]);
        await act(stop);
        await after(calm);
        await act(start);
      });
    },
  );
});
