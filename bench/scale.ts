import { setTimeout as after } from 'node:timers/promises';
import { createPartnerkit } from '@partnerkit/core';
import { shardCount } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memorySender } from '@partnerkit/core/memory';
import { migrate, postgresStorage } from '@partnerkit/postgres';
import { createDatabase, startPostgres } from '@partnerkit/workshop/services';
import pg from 'pg';
import type { Child } from './children.ts';
import { engines } from './postgres/engines/index.ts';
import type { Kit, KitInput } from './postgres/engines/partnerkit.ts';
import { accounts, eventAt, payment, types } from './postgres/load.ts';
import { startServers } from './postgres/servers.ts';

/**
 * The cost of an event and a delivery in a database: rows, bytes on disk, bytes of write-ahead log. Bodies have 600
 * bytes; each event is published in its own transaction.
 *
 *     node --conditions=source bench/scale.ts
 */
const count = 20_000;

const tables = ['outbox', 'events', 'dispatches', 'pending', 'attempts'] as const;

const postgres = await startPostgres({
  settings: { autovacuum: 'off', wal_level: 'replica', full_page_writes: 'off', max_wal_size: '8GB' },
});
const { url } = await createDatabase(postgres);
const pool = new pg.Pool({ connectionString: url, max: 16 });
await migrate(pool);

/** Bytes of write-ahead log so far. */
const written = async (): Promise<number> => {
  const { rows } = await pool.query("select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes");
  return rows[0].bytes;
};

/** Bytes of live rows and their indexes, after a vacuum that compacts them. */
const sizes = async () => {
  const found: Record<string, { table: number; indexes: number; rows: number }> = {};
  for (const table of tables) {
    await pool.query(`vacuum (analyze) partnerkit.${table}`);
    const { rows } = await pool.query(
      `select (select count(*) from partnerkit.${table})::float8 as rows, pg_table_size($1)::float8 as table, pg_indexes_size($1)::float8 as indexes`,
      [`partnerkit.${table}`],
    );
    found[table] = rows[0];
  }
  return found;
};

/** Deletes all events and attempts, as pruning does. */
const pruneAll = async ({ log }: ReturnType<typeof postgresStorage>): Promise<void> => {
  await pool.query("update partnerkit.shards set watermark = now() + interval '1 second'");
  const limits = { held: 1e12, deleted: 1e12, events: 0, attempts: 0, limit: 1_000 };
  for (let shard = 0; shard < shardCount; shard++) while ((await log.prune([shard], limits)).hasMore);
};

const run = async (fanOut: number) => {
  await pool.query(
    `truncate ${['endpoints', 'workers', 'last_settlements', ...tables].map((table) => `partnerkit.${table}`).join(', ')}`,
  );
  const storage = postgresStorage(pool);
  const kit = createPartnerkit({
    accounts: { find: async (id) => ({ id, name: id, status: 'active', environment: 'prod' }) },
    storage,
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }] },
    objects: [payment],
  });
  for (const account of accounts)
    for (let nth = 0; nth < fanOut; nth++) {
      const created = await kit.endpoints.create(account, {
        url: `https://partner.example/${nth}`,
        events: [...types],
      });
      if (created.isErr()) throw new Error(`No endpoint: ${created.error.code}.`);
    }
  await pool.query('checkpoint');
  const started = await written();
  const lanes = Array.from({ length: 16 }, async (_, lane) => {
    for (let place = lane; place < count; place += 16) await kit.events.publish(eventAt(place), { tx: 'new' });
  });
  await Promise.all(lanes);
  const published = await written();
  await pool.query('checkpoint');
  const before = await written();
  await kit.worker().drain();
  const delivered = await written();
  const found = await sizes();
  console.log(`\n${fanOut} endpoint(s) an event, ${count} events`);
  console.log(
    `write-ahead log: publish ${Math.round((published - started) / count)} B, all after it ${Math.round((delivered - before) / count)} B an event`,
  );
  for (const [table, { table: bytes, indexes, rows }] of Object.entries(found))
    console.log(
      `${table.padEnd(10)} ${rows} rows, ${Math.round(bytes / count)} B of rows and ${Math.round(indexes / count)} B of indexes an event`,
    );
  await pool.query('checkpoint');
  const full = await written();
  await pruneAll(storage);
  console.log(`write-ahead log: prune ${Math.round(((await written()) - full) / count)} B an event`);
};

for (const fanOut of [0, 1, 3]) await run(fanOut);
await pool.end();
await postgres.stop();

/** Workers in separate processes that send nothing: the limit of the storage alone. */
const servers = await startServers();
for (const workers of [1, 2, 4, 8]) {
  const stage = servers.open();
  const input: KitInput = { ...(await stage.input()), sendsNothing: true };
  const kits: Child<Kit>[] = [];
  for (let nth = 0; nth < workers; nth++) kits.push(await stage.start(engines.partnerkit, input));
  await kits[0]?.ask('fill', count);
  const done = stage.pool(input, 1);
  const began = performance.now();
  await Promise.all(kits.map((kit) => kit.ask('start')));
  const finished = async () => Number((await done.query('select count(*) from partnerkit.attempts')).rows[0].count);
  while ((await finished()) < count) await after(20);
  console.log(`${workers} worker(s): ${Math.round((count / (performance.now() - began)) * 1_000)} deliveries a second`);
  await stage.close();
}
await servers.stop();
