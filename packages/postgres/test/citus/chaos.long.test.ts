import { execFile } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { payDuring } from '../../../workshop/src/processes/index.ts';
import { postgresRowStorage } from '../../src/rows/index.ts';
import { schema } from '../rows/rows-database.ts';
import { payingHost } from '../support/paying-host.ts';
import { clusterUrl, useCluster } from './cluster.ts';

/** Shell commands that stop and start the node that has the schema; `{port}` stands for its port. */
const [stop, start] = [process.env['CITUS_STOP'], process.env['CITUS_START']];
/** How long a killed node is away. */
const outage = 3_000;

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
    const host = payingHost(pool(), [postgresRowStorage(pool(), { schema })], `"${schema}".payments`);
    const found = await payDuring(host, happen);
    await vi
      .waitUntil(async () => (await countPrepared()) === 0, { timeout: 60_000, interval: 500 })
      .catch(() => undefined);
    const books = { ...found, prepared: await countPrepared() };
    console.log(`${what}: ${JSON.stringify(books)}`);
    expect(books).toMatchObject({ lost: 0, withoutPayment: 0, undelivered: 0, otherTimestamp: 0, prepared: 0 });
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
        await after(outage);
        await act(start);
      });
    },
  );
});
