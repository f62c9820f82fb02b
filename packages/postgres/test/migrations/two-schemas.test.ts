import { expect, inject, onTestFinished, test } from 'vitest';
import { migrate, postgresStorage } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';
import { emptyDatabase } from './databases.ts';

const account = 'acc_host';

test('two schemas of one database do not see, wake or hinder each other', async () => {
  const { pool } = await emptyDatabase(inject('postgres'));
  const open = async (schema: string) => {
    await migrate(pool, { schema });
    const sender = arrivals();
    const storage = postgresStorage(pool, { schema });
    const kit = openKit(storage, { sender });
    await addEndpoint(kit, account, schema);
    let rings = 0;
    let rung = Promise.withResolvers<void>();
    const unwatch = await storage.shards.watch(({ kind }) => {
      if (kind !== 'events') return;
      rings += 1;
      rung.resolve();
    });
    onTestFinished(unwatch);
    return {
      sender,
      worker: kit.worker(),
      rings: () => rings,
      publish: async (id: string) => {
        rung = Promise.withResolvers();
        await kit.events.publish(payed(account, id), { tx: 'new', idempotencyKey: 'key' });
        await rung.promise;
      },
      events: async () => (await storage.events.listEvents(account, {})).items.map(({ objectId }) => objectId),
      endpoints: async () => (await storage.endpoints.listEndpoints(account, {})).items.length,
    };
  };
  const [one, two, quiet] = [await open('one'), await open('two'), await open('quiet')];

  await one.publish('first');
  expect(await two.worker.drain()).toBe(0);
  // What woke one would have come to the other before this.
  expect([two.rings(), quiet.rings()]).toEqual([0, 0]);
  expect([await one.events(), await two.events()]).toEqual([['first'], []]);
  expect([await one.endpoints(), await two.endpoints()]).toEqual([1, 1]);

  const gate = await pool.connect();
  await gate.query('begin; lock table one.workers, one.shards, one.pending in access exclusive mode');
  await two.publish('second');
  expect(await two.worker.drain()).toBe(1);
  await gate.query('rollback');
  gate.release();
  expect(await one.worker.drain()).toBe(1);

  expect(quiet.rings()).toBe(0);
  expect([one, two].map(({ sender }) => sender.posts.map(({ url }) => url))).toEqual([
    ['https://partner.example/one'],
    ['https://partner.example/two'],
  ]);
});
