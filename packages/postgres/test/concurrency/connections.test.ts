import { expect, inject, test, vi } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals, names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { begin, openPool } from '../support/host-transactions.ts';
import { brokenLaws } from '../support/invariants.ts';
import { addEndpoint, type Kit, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));

const open = (max: number) => {
  const pool = openPool({ connectionString: database.url(), max });
  const received = arrivals();
  const kit: Kit = openKit(postgresStorage(pool), { sender: received });
  return { pool, kit, received };
};

test.each([1, 4])('%i transactions on a pool of as many all publish before any of them ends', async (size) => {
  const { pool, kit } = open(size);
  const connect = vi.spyOn(pool, 'connect');
  const transactions = await Promise.all(names(size).map(() => begin(pool)));
  for (const [index, { tx }] of transactions.entries()) {
    const event = (name: string) => payed('ours', `${size}-${index}-${name}`);
    await kit.events.publish(event('alone'), { tx });
    await kit.events.publish(event('with a key'), { tx, idempotencyKey: `${size}-${index}` });
    await kit.events.publishMany([event('with others'), event('with others')], { tx });
    expect(pool.waitingCount).toBe(0);
  }
  await Promise.all(transactions.map(({ commit }) => commit()));
  expect(connect).toHaveBeenCalledTimes(size);
  expect(pool.totalCount).toBe(size);
});

test.each([1, 2])('a worker and its host share a pool of %i', async (size) => {
  await database.reset({ storeAhead: 0 });
  const { pool, kit, received } = open(size);
  await addEndpoint(kit, 'ours', 'ours');
  const worker = kit.worker();
  worker.start();
  const published = names(50);
  await Promise.all(
    published.map(async (name) => {
      const { tx, commit } = await begin(pool);
      await kit.events.publish(payed('ours', name), { tx });
      await commit();
    }),
  );
  await received.all(published);
  await worker.stop();
  expect(received.posts).toHaveLength(published.length);
  expect(await brokenLaws(database.pool(), received.posts)).toEqual([]);
});

test.each([1, 2])('a worker waits while transactions hold a whole pool of %i, and goes on after them', async (size) => {
  await database.reset({ storeAhead: 0 });
  const { pool, kit, received } = open(size);
  await addEndpoint(kit, 'ours', 'ours');
  const transactions = await Promise.all(names(size).map(() => begin(pool)));
  const worker = kit.worker();
  worker.start();
  await vi.waitUntil(() => pool.waitingCount > 0, { timeout: 240_000 });
  for (const [index, { tx }] of transactions.entries()) await kit.events.publish(payed('ours', `p${index}`), { tx });
  expect(received.posts).toEqual([]);
  await Promise.all(transactions.map(({ commit }) => commit()));
  await received.all(names(size));
  await worker.stop();
  expect(await brokenLaws(database.pool(), received.posts)).toEqual([]);
});
