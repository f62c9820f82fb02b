import { execFile } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { payDuring } from '../../../workshop/src/processes/index.ts';
import { postgresRowStorage } from '../../src/rows/index.ts';
import { schema } from '../rows/rows-database.ts';
import { payingHost } from '../support/paying-host.ts';
import { clusterUrl, useCluster } from './cluster.ts';

/** Shell commands that stop and start a server of the cluster; `{port}` stands for its port. */
const [stop, start] = [process.env['CITUS_STOP'], process.env['CITUS_START']];
const canKill = stop !== undefined && start !== undefined;
/** How many payments are acknowledged at least, in all. */
const wanted = Number(process.env['CITUS_EVENTS'] ?? 20_000);
/** How long a killed server is away. */
const away = 3_000;

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
    const host = payingHost(pool(), [postgresRowStorage(pool(), { schema })], `"${schema}".payments`);
    const part = Math.ceil(wanted / (2 * happenings.length));
    const found = await payDuring(host, async ({ acknowledged, more, pauseMs }) => {
      for (const [what, happen] of happenings) {
        await more(part);
        pauseMs();
        await happen();
        await more(part);
        console.log(`${what}: longest pause ${pauseMs()} ms, ${acknowledged.size} acknowledged so far`);
      }
    });
    await vi
      .waitUntil(async () => (await countPrepared()) === 0, { timeout: 60_000, interval: 500 })
      .catch(() => undefined);
    const books = { ...found, prepared: await countPrepared() };
    console.log(JSON.stringify(books));
    expect(books).toMatchObject({ lost: 0, withoutPayment: 0, undelivered: 0, otherTimestamp: 0, prepared: 0 });
  }, 7_200_000);
});
