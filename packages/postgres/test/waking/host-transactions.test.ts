import { shardOf } from '@partnerkit/core/adapter';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { fromPg, type PgClient, postgresStorage, type SqlDriver } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { begin } from '../support/host-transactions.ts';
import { openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
beforeEach(() => database.reset({ storeAhead: 0 }));

test('a host whose transaction publishes has no notification in it, although a worker is idle', async () => {
  const inHost: string[] = [];
  const driver = fromPg<PgClient>(database.pool());
  const counted: SqlDriver<PgClient> = {
    ...driver,
    queryIn: (tx, text, values) => {
      inHost.push(text);
      return driver.queryIn(tx, text, values);
    },
  };
  const storage = postgresStorage(counted);
  onTestFinished(await storage.shards.watch(() => undefined));
  const { publish, publishMany } = openKit(storage, { sender: arrivals() }).events;
  const { tx, commit } = await begin(database.pool());
  await publish(payed('acc_host', 'p1'), { tx });
  await publishMany([payed('acc_host', 'p2'), payed('acc_host', 'p3')], { tx });
  await publish(payed('acc_host', 'p4'), { tx, idempotencyKey: 'once' });
  await commit();
  expect(inHost.length).toBeGreaterThanOrEqual(3);
  expect(inHost.filter((text) => text.includes('pg_notify'))).toEqual([]);
});

test('a publish that is rolled back wakes a watcher that finds nothing, and the next commit is found', async () => {
  const storage = postgresStorage(database.pool());
  const shard = shardOf('acc_host');
  const read = async () =>
    (await storage.deliveries.readOutbox([{ shard }], 10, 0)).events.map(({ objectId }) => objectId);
  const found: string[] = [];
  let wakes = Promise.withResolvers<void>();
  const reads: Promise<void>[] = [];
  const note = (ids: readonly string[]): void => {
    found.push(...ids);
    wakes.resolve();
  };
  // After the watch has ended: a last wake may still read.
  onTestFinished(async () => void (await Promise.all(reads)));
  onTestFinished(await storage.shards.watch(() => void reads.push(read().then(note))));
  const { publish } = openKit(storage, { sender: arrivals() }).events;
  const first = await begin(database.pool());
  await publish(payed('acc_host', 'p1'), { tx: first.tx });
  await first.rollback();
  await wakes.promise;
  expect(found).toEqual([]);
  while (!found.includes('p2')) {
    wakes = Promise.withResolvers<void>();
    const next = await begin(database.pool());
    await publish(payed('acc_host', 'p2'), { tx: next.tx });
    await next.commit();
    await wakes.promise;
  }
  expect(new Set(found)).toEqual(new Set(['p2']));
});
