import { day, hour } from '@partnerkit/core';
import { type DeliveryKey, type PruneLimits, parseDeliveryId, shardCount } from '@partnerkit/core/adapter';
import { memorySender } from '@partnerkit/core/memory';
import { describe, expect, inject, test } from 'vitest';
import { fromPg, type PgClient, postgresStorage, type SqlDriver } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { untilWaiting } from '../support/host-transactions.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const limits: PruneLimits = { held: 14 * day, deleted: hour, events: 30 * day, limit: 1_000 };
const shards = Array.from({ length: shardCount }, (_, shard) => shard);

/** A log whose transactions stay open until they may end. */
const openHeld = () => {
  const [done, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const driver = fromPg(database.pool());
  const held: SqlDriver<PgClient> = {
    ...driver,
    transaction: (work) =>
      driver.transaction(async (tx) => {
        const value = await work(tx);
        done.resolve();
        await end.promise;
        return value;
      }),
  };
  const { log } = postgresStorage(held);
  return { log, done: done.promise, commit: () => end.resolve(), rollback: () => end.reject(new Error('rolled back')) };
};

/** An event that was delivered, and is too old to keep. */
const openOld = async () => {
  await database.reset({ storeAhead: 0 });
  const pool = database.pool();
  const { log } = postgresStorage(pool);
  const kit = openKit(postgresStorage(pool), { sender: memorySender() });
  const endpointId = await addEndpoint(kit, 'ours', 'a');
  await kit.events.publish(payed('ours', 'old'), { tx: 'new' });
  const worker = kit.worker();
  expect(await worker.drain()).toBe(1);
  await pool.query('update partnerkit.shards set watermark = now()');
  const [delivery] = (await log.listDeliveries('ours', {}, {})).items;
  const key = parseDeliveryId('ours', delivery?.id ?? '') as DeliveryKey;
  await database.elapse(limits.events + hour);
  return { pool, log, worker, endpointId, key, prune: () => log.prune(shards, limits) };
};
type Old = Awaited<ReturnType<typeof openOld>>;
type Log = Old['log'];

/** Events, and deliveries that wait. */
const counts = async ({ pool }: Old) => {
  const { rows } = await pool.query(
    'select (select count(*) from partnerkit.events)::int as events, (select count(*) from partnerkit.pending)::int as pending',
  );
  return rows[0];
};

describe.each([
  [
    'a replay',
    (log: Log, { endpointId }: Old) => log.replay('ours', endpointId, { from: 0, to: 2 ** 48 - 1 }),
    { kind: 'replayed', deliveries: 0 },
    { kind: 'replayed', deliveries: 1 },
  ],
  [
    'sending again',
    (log: Log, { key }: Old) => log.sendAgain(key),
    { kind: 'not_found' },
    { kind: 'sent', deliveryId: expect.any(String) },
  ],
] as const)('%s', (_, ask, dropped, made) => {
  test('keeps the event from pruning until it commits', async () => {
    const old = await openOld();
    const held = openHeld();
    const asking = ask(held.log, old);
    await held.done;
    await old.prune();
    held.commit();
    expect(await asking).toEqual(made);
    expect(await counts(old)).toEqual({ events: 1, pending: 1 });
    await old.prune();
    expect(await counts(old)).toEqual({ events: 1, pending: 1 });
    expect(await old.worker.drain()).toBe(1);
  });

  test.each([
    ['commit', dropped, { events: 0, pending: 0 }],
    ['rollback', made, { events: 1, pending: 1 }],
  ] as const)('waits for whoever prunes, until the %s', async (end, answer, left) => {
    const old = await openOld();
    const held = openHeld();
    const pruning = held.log.prune(shards, limits).catch(() => undefined);
    await held.done;
    const asking = ask(old.log, old);
    await untilWaiting(old.pool, 1).finally(held[end]);
    expect(await asking).toEqual(answer);
    await pruning;
    expect(await counts(old)).toEqual(left);
  });

  test('of many simultaneous calls one creates a delivery', async () => {
    const old = await openOld();
    const asked = Array.from({ length: 8 }, () => ask(old.log, old));
    const answers = await Promise.all(asked);
    const sent = answers.filter((answer) => JSON.stringify(answer).match(/"sent"|"deliveries":1/));
    expect(sent).toHaveLength(1);
    expect(await counts(old)).toEqual({ events: 1, pending: 1 });
  });
});

test('simultaneous replay and sendAgain create one delivery of an event', async () => {
  const old = await openOld();
  const range = { from: 0, to: 2 ** 48 - 1 };
  await Promise.all(
    Array.from({ length: 12 }, (_, nth) =>
      nth % 2 === 0 ? old.log.sendAgain(old.key) : old.log.replay('ours', old.endpointId, range),
    ),
  );
  expect(await counts(old)).toEqual({ events: 1, pending: 1 });
});
