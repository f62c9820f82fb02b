import { memorySender } from '@partnerkit/core/memory';
import { createDatabase, type PgBouncer, startPgBouncer, type TestDatabase } from '@partnerkit/workshop/services';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { fromPg, migrate, postgresSeenKeys, postgresStorage } from '../../src/index.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

// PgBouncer in transaction mode: two statements of one client may run on two connections of the server.

let database: TestDatabase;
let bouncer: PgBouncer;
let pool: pg.Pool;
const driver = () => fromPg(pool, { prepare: false, listen: false });

beforeAll(async () => {
  const server = inject('postgres');
  database = await createDatabase(server);
  bouncer = await startPgBouncer({ server: server.url, poolSize: 3, install: true });
  pool = new pg.Pool({ connectionString: bouncer.urlOf(new URL(database.url).pathname.slice(1)), max: 12 });
  await migrate(driver());
});
afterAll(async () => {
  await pool.end();
  await bouncer.stop();
  await database.drop();
});

test('committed events are delivered by two workers that share the shards; rolled-back ones are not', async () => {
  const sender = memorySender();
  const kits = [
    openKit(postgresStorage(driver()), { sender }),
    openKit(postgresStorage(driver()), { sender }),
  ] as const;
  const accounts = Array.from({ length: 8 }, (_, index) => `acc_${index}`);
  for (const account of accounts) await addEndpoint(kits[0], account, account);
  const workers = kits.map((kit) => kit.worker({ pollEvery: 20 }));
  for (const worker of workers) worker.start();

  const publish = async (account: string, index: number): Promise<void> => {
    const client = await pool.connect();
    await client.query('begin');
    await kits[index % 2 === 0 ? 0 : 1].events.publish(payed(account, `${account}/${index}`), { tx: client });
    await client.query(index % 4 === 3 ? 'rollback' : 'commit');
    client.release();
  };
  for (let index = 0; index < 12; index++) await Promise.all(accounts.map((account) => publish(account, index)));

  const expected = accounts.flatMap((account) => [0, 1, 2, 4, 5, 6, 8, 9, 10].map((index) => `${account}/${index}`));
  await vi.waitFor(() => expect(sender.posts).toHaveLength(expected.length), { timeout: 60_000 });
  await Promise.all(workers.map((worker) => worker.stop()));
  const sent = sender.posts.map(({ body }) => JSON.parse(body).data.id);
  expect(sent.toSorted()).toEqual(expected.toSorted());
  const backlog = await kits[0].deliveries.backlogOfAll();
  expect(backlog._unsafeUnwrap()).toEqual({ undispatched: 0, waiting: 0, held: 0 });
});

test('of simultaneous claims of one key, exactly one succeeds', async () => {
  const seen = postgresSeenKeys(driver());
  const claims = await Promise.all(Array.from({ length: 30 }, () => seen.claim('one key', 60_000)));
  expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
});
