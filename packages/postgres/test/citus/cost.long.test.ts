import { kitsOver } from '@partnerkit/core';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { migrateRowSchemas, rowSchemas } from '../../src/rows/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { addEndpoint, type Kit, openKit, payed } from '../support/kit.ts';
import { clusterUrl, useCluster } from './cluster.ts';
import { readServerCpu } from './server-cpu.ts';

const schemas = 6;
/** For each number of nodes, the node of each schema. A schema never moves to an earlier node. */
const layouts = [
  [0, 0, 0, 0, 0, 0],
  [0, 0, 0, 1, 1, 1],
  [0, 0, 1, 1, 2, 2],
];
const accounts = Array.from({ length: 48 }, (_, nth) => `acc_${nth}`);
/** Of each account: before the measurement, and in it. Each connection plans each statement once. */
const [warm, perAccount] = [10, 40];
/** Few connections, so that all are warm. */
const max = 6;

describe.skipIf(clusterUrl === undefined)('the CPU of every server for an event', () => {
  const { run } = useCluster();
  const pools = new Map<number, pg.Pool>();
  afterAll(async () => {
    for (const each of pools.values()) await each.end();
  });
  const poolAt = (port: number): pg.Pool => {
    const url = Object.assign(new URL(clusterUrl ?? ''), { port });
    const found = pools.get(port) ?? new pg.Pool({ connectionString: url.href, max }).on('error', () => undefined);
    pools.set(port, found);
    return found;
  };
  const pool = (): pg.Pool => poolAt(Number(new URL(clusterUrl ?? '').port));
  const recreate = async (name: string, isDistributed: boolean): Promise<void> => {
    for (const part of [...Array.from({ length: schemas }, (_, nth) => nth), 'clients']) {
      const sharding = isDistributed ? 'on' : 'off';
      await run(`drop schema if exists ${name}_${part} cascade`);
      await run(
        `begin; set local citus.enable_schema_based_sharding = ${sharding}; create schema ${name}_${part}; commit`,
      );
    }
    await migrateRowSchemas(pool(), { schemas, name });
    for (let nth = 0; nth < schemas; nth++)
      await run(`create table ${name}_${nth}.payments (id text primary key, paid boolean not null)`);
  };
  const nodesOf = async (): Promise<readonly { readonly name: string; readonly port: number }[]> =>
    (await run(
      'select nodename as name, nodeport as port from pg_dist_node where shouldhaveshards and isactive order by groupid',
    )) as never;
  const portOf = async (schema: string): Promise<number> =>
    Number(
      Reflect.get(
        (await run(`select nodeport from citus_shards where table_name::text like '${schema}.%' limit 1`))[0] ?? {},
        'nodeport',
      ),
    );
  let made = 0;

  /** Publishes events, each with a payment, delivers all, and prints the CPU of each server for one of them. */
  const measure = async (name: string, what: string, poolOf: (schema: string) => pg.Pool): Promise<void> => {
    const opened = await rowSchemas(pool(), { schemas, name, poolOf });
    const sender = arrivals();
    const kits = kitsOver(opened, { rootOf: (id) => id, open: (storage): Kit => openKit(storage, { sender }) });
    for (const account of accounts) {
      const kit = await kits.of(account);
      const { items } = (await kit.endpoints.list(account))._unsafeUnwrap();
      if (items.length === 0) await addEndpoint(kit, account, account);
    }
    const publish = async (account: string, id: string): Promise<void> => {
      const schema = opened.schemaOf(account);
      const kit = await kits.of(account);
      const client = await poolOf(schema).connect();
      await client.query('begin');
      await client.query(`insert into ${schema}.payments values ($1, true)`, [id]);
      await kit.events.publish(payed(account, id), { tx: client });
      await client.query('commit');
      client.release();
    };
    const pass = async (each: number): Promise<number> => {
      const before = sender.posts.length;
      await Promise.all(
        accounts.map(async (account) => {
          for (let nth = 0; nth < each; nth++) await publish(account, `p${made++}`);
        }),
      );
      await kits.worker().drain();
      return sender.posts.length - before;
    };
    await pass(warm);
    const before = await readServerCpu(pool());
    const sent = await pass(perAccount);
    const after = await readServerCpu(pool());
    expect(sent).toBe(accounts.length * perAccount);
    const cpu = [...after].map(([port, seconds]) => ((seconds - (before.get(port) ?? 0)) / sent) * 1e6);
    const sum = cpu.reduce((all, each) => all + each, 0);
    console.log(`${what}: ${cpu.map((each) => Math.round(each)).join(' + ')} = ${Math.round(sum)} µs an event`);
  };

  test('is printed for one, two and three nodes, through the coordinator and at the nodes', async () => {
    const nodes = await nodesOf();
    expect(nodes.length).toBeGreaterThan(2);
    await recreate('cost_plain', false);
    await measure('cost_plain', 'plain rows of one server', () => pool());
    await recreate('cost_nodes', true);
    const ports = new Map<string, number>();
    const place = async (layout: readonly number[]): Promise<void> => {
      for (const [nth, at] of layout.entries()) {
        const [schema, node] = [`cost_nodes_${nth}`, nodes[at]];
        if (!node) throw new Error('There are not enough nodes.');
        if ((await portOf(schema)) !== node.port)
          await run(`select citus_schema_move('${schema}', '${node.name}', ${node.port}, 'block_writes')`);
        ports.set(schema, node.port);
      }
      // What moves have left would be deleted while a layout is measured.
      await run('call citus_cleanup_orphaned_resources()');
    };
    for (const [way, poolOf] of [
      ['through the coordinator', () => pool()],
      ['at the nodes', (schema: string) => poolAt(ports.get(schema) ?? 0)],
    ] as const)
      for (const [nth, layout] of layouts.entries()) {
        await place(layout);
        await measure('cost_nodes', `${nth + 1} nodes, ${way}`, poolOf);
      }
  }, 3_600_000);
});
