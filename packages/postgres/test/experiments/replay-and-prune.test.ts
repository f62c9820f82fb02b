import { day, firstIdAt, hour, type PruneLimits } from '@partnerkit/core';
import { memorySender } from '@partnerkit/core/memory';
import { describe, expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { begin, untilWaiting } from '../support/host-transactions.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const limits: PruneLimits = { held: 14 * day, events: 30 * day, attempts: 60 * day, most: 1_000 };
const always = { from: 0, to: 2 ** 48 - 1 };
const pruning = `select partnerkit.prune(${limits.held}, ${limits.events}, ${limits.attempts}, ${limits.most}, null)::text`;

/** An event that was delivered, and is too old to keep. */
const openOld = async () => {
  await database.reset({ storeAhead: 0 });
  const pool = database.pool();
  const { log, queue } = postgresStorage(pool);
  const kit = openKit(postgresStorage(pool), { sender: memorySender() });
  const endpointId = await addEndpoint(kit, 'ours', 'a');
  await kit.events.publish(payed('ours', 'old'), { tx: 'new' });
  const worker = kit.worker();
  expect(await worker.drain()).toBe(1);
  const deliveryId = (await log.listDeliveries('ours', {}, {})).items[0]?.id ?? '';
  await database.elapse(limits.events + hour);
  return { pool, log, queue, worker, endpointId, deliveryId };
};
type Old = Awaited<ReturnType<typeof openOld>>;

/** Events, and deliveries in line. */
const counts = async ({ pool }: Old) => {
  const { rows } = await pool.query(
    'select (select count(*) from partnerkit.events)::int as events, (select count(*) from partnerkit.queue)::int as line',
  );
  return rows[0];
};

describe.each([
  [
    'a replay',
    ({ endpointId }: Old) =>
      `select partnerkit.replay('ours', '${endpointId}', '${firstIdAt(always.from)}', '${firstIdAt(always.to)}', 500)::text`,
    ({ log, endpointId }: Old) => log.replay('ours', endpointId, always),
    { kind: 'replayed', deliveries: 0 },
    { kind: 'replayed', deliveries: 1 },
  ],
  [
    'sending again',
    ({ deliveryId }: Old) => `select partnerkit.send_again('ours', '${deliveryId}')::text`,
    ({ log, deliveryId }: Old) => log.sendAgain('ours', deliveryId),
    { kind: 'event_dropped' },
    { kind: 'sent', deliveryId: expect.any(String) },
  ],
] as const)('%s', (_, statement, ask, dropped, made) => {
  test('keeps the event from whoever prunes before it commits', async () => {
    const old = await openOld();
    const asking = await begin(old.pool);
    await asking.tx.query(statement(old));
    await old.queue.prune(limits);
    await asking.commit();
    expect(await counts(old)).toEqual({ events: 1, line: 1 });
    await old.queue.prune(limits);
    expect(await counts(old)).toEqual({ events: 1, line: 1 });
    expect(await old.worker.drain()).toBe(1);
  });

  test.each([
    ['commit', dropped, { events: 0, line: 0 }],
    ['rollback', made, { events: 1, line: 1 }],
  ] as const)('waits for whoever prunes, until the %s', async (end, answer, left) => {
    const old = await openOld();
    const other = await begin(old.pool);
    await other.tx.query(pruning);
    const asking = ask(old);
    await untilWaiting(old.pool, 1).finally(other[end]);
    expect(await asking).toEqual(answer);
    expect(await counts(old)).toEqual(left);
  });
});
