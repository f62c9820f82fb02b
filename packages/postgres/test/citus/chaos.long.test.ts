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

/** Shell commands that stop and start a server of the cluster; `{port}` stands for its port. */
const [stop, start] = [process.env['CITUS_STOP'], process.env['CITUS_START']];
const canKill = stop !== undefined && start !== undefined;
const accounts = Array.from({ length: 8 }, (_, nth) => `acc_${nth}`);
/** How many payments are acknowledged at least, in all. */
const wanted = Number(process.env['CITUS_EVENTS'] ?? 20_000);
/** How long a killed server is away. */
const away = 3_000;
const publishers = 4;

/** Publishes payments without a pause, each with its row, until `stop`. */
const publishing = (pool: pg.Pool, publish: (accountId: string, id: string, tx: pg.PoolClient) => Promise<unknown>) => {
  const acknowledged = new Set<string>();
  let isOver = false;
  let [longest, last] = [0, performance.now()];
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
    /** The longest pause between two acknowledged payments since the last call, in milliseconds. */
    pause: () => {
      const found = Math.round(longest);
      longest = 0;
      return found;
    },
    /** Resolves once so many more are acknowledged. */
    more: async (count: number) => {
      const enough = acknowledged.size + count;
      await vi.waitUntil(() => acknowledged.size >= enough, { timeout: 3_600_000, interval: 20 });
    },
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

  const portOf = async (): Promise<number> =>
    Reflect.get(
      (await run(`select nodeport from citus_shards where table_name::text like '${schema}.%' limit 1`))[0] ?? {},
      'nodeport',
    );
  const countPrepared = async (): Promise<number> => {
    const found = await run(
      "select result from run_command_on_all_nodes('select count(*) from pg_prepared_xacts where database = current_database()')",
    );
    return found.reduce((all, row) => all + Number(Reflect.get(row, 'result')), 0);
  };
  const kill = async (port: number | string): Promise<void> => {
    const act = (command = '') => promisify(execFile)('sh', ['-c', command.replaceAll('{port}', String(port))]);
    await act(stop);
    await after(away);
    await act(start);
  };
  const move = async (): Promise<void> => {
    const port = await portOf();
    const [other] = await run(
      `select nodename as name, nodeport as port from pg_dist_node where shouldhaveshards and isactive and nodeport <> ${port} limit 1`,
    );
    if (!other) throw new Error('The cluster needs two nodes.');
    await run(`select citus_schema_move('${schema}', '${Reflect.get(other, 'name')}', ${Reflect.get(other, 'port')})`);
  };
  /** The node of the schema takes no more shards, so that a rebalance moves them away. */
  const rebalance = async (): Promise<void> => {
    const port = await portOf();
    const setShards = (isOn: boolean) =>
      run(
        `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', ${isOn}) from pg_dist_node where nodeport = ${port}`,
      );
    await setShards(false);
    try {
      await run('select citus_rebalance_start()');
      await run('select citus_rebalance_wait()');
    } finally {
      await setShards(true);
    }
    expect(await portOf()).not.toBe(port);
  };

  const happenings: readonly (readonly [string, () => Promise<void>])[] = [
    ['the schema is moved to another node', move],
    ['the schema is moved by a rebalance', rebalance],
    ...(canKill
      ? ([
          ['its node is killed, and started again', async () => kill(await portOf())],
          ['the coordinator is killed, and started again', () => kill(new URL(clusterUrl ?? '').port)],
        ] as const)
      : []),
  ];

  test('whatever happens to servers, no acknowledged payment loses its event', async () => {
    const sender = arrivals();
    const kit = openKit(postgresRowStorage(pool(), { schema }), { sender });
    for (const account of accounts) await addEndpoint(kit, account, account);
    const worker = kit.worker();
    worker.start();
    const publishes = publishing(pool(), (accountId, id, tx) => kit.events.publish(payed(accountId, id), { tx }));
    const part = Math.ceil(wanted / (2 * happenings.length));
    for (const [what, happen] of happenings) {
      await publishes.more(part);
      publishes.pause();
      await happen();
      await publishes.more(part);
      console.log(`${what}: longest pause ${publishes.pause()} ms, ${publishes.acknowledged.size} acknowledged so far`);
    }
    await publishes.stop();
    const { acknowledged } = publishes;
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
    const told = { ...books, acknowledged: acknowledged.size, twice: sent.length - sender.objects.size };
    console.log(JSON.stringify(told));
    expect(books).toEqual({ lost: 0, withoutPayment: 0, otherTimestamp: 0, prepared: 0 });
  }, 7_200_000);
});
