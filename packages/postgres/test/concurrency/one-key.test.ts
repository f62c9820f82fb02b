import { expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { begin, type Isolation, untilWaiting } from '../support/host-transactions.ts';
import { openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const levels: readonly Isolation[] = ['read committed', 'repeatable read', 'serializable'];

const open = async (isolation: Isolation) => {
  await database.reset({ storeAhead: 0 });
  const pool = database.pool();
  const { events } = openKit(postgresStorage(pool), { sender: arrivals() });
  return {
    start: () => begin(pool, isolation),
    publish: ({ tx }: Awaited<ReturnType<typeof begin>>) =>
      events.publish(payed('ours', 'p1'), { tx, idempotencyKey: 'k1' }),
  };
};
/** What the host is used to of its level: it runs its transaction once more. */
const failsToSerialize = { code: 'unavailable', failure: { cause: { code: '40001' } } };

test.each(levels)('%s: one that began after the other had committed gets its event', async (isolation) => {
  const { start, publish } = await open(isolation);
  const first = await start();
  const { eventId } = await publish(first);
  await first.commit();
  const second = await start();
  expect(await publish(second)).toEqual({ eventId, replayed: true });
  await second.commit();
});

test.each(levels)('%s: one waits for the other, and publishes when that rolls back', async (isolation) => {
  const { start, publish } = await open(isolation);
  const [first, second] = [await start(), await start()];
  await publish(first);
  const published = publish(second);
  await untilWaiting(database.pool(), 1);
  await first.rollback();
  expect(await published).toMatchObject({ replayed: false });
  await second.commit();
});

test('read committed: one waits for the other, and gets its event when that commits', async () => {
  const { start, publish } = await open('read committed');
  const [first, second] = [await start(), await start()];
  const { eventId } = await publish(first);
  const published = publish(second);
  await untilWaiting(database.pool(), 1);
  await first.commit();
  expect(await published).toEqual({ eventId, replayed: true });
  await second.commit();
});

test.each(['repeatable read', 'serializable'] as const)(
  '%s: one whose snapshot is older than the commit of the other fails to serialize, and gets its event on the next run',
  async (isolation) => {
    const { start, publish } = await open(isolation);
    const [first, waiting, late] = [await start(), await start(), await start()];
    const { eventId } = await publish(first);
    const refused = expect(publish(waiting)).rejects.toMatchObject(failsToSerialize);
    await untilWaiting(database.pool(), 1);
    await first.commit();
    await refused;
    await expect(publish(late)).rejects.toMatchObject(failsToSerialize);
    await Promise.all([waiting.rollback(), late.rollback()]);
    const again = await start();
    expect(await publish(again)).toEqual({ eventId, replayed: true });
    await again.commit();
  },
);

test.each([
  ['k1', 'k2'],
  ['k2', 'k1'],
])(
  'batches that share keys in opposite orders, of which the first has %s before %s, wait and never deadlock',
  async (...keys) => {
    await database.reset({ storeAhead: 0 });
    const { events } = openKit(postgresStorage(database.pool()), { sender: arrivals() });
    const publish = ({ tx }: Awaited<ReturnType<typeof begin>>, order: readonly string[]) =>
      events.publishMany(
        order.map((idempotencyKey) => ({ ...payed('ours', idempotencyKey), idempotencyKey })),
        { tx },
      );
    const [holder, first, second] = [
      await begin(database.pool()),
      await begin(database.pool()),
      await begin(database.pool()),
    ];
    await publish(holder, ['k1']);
    const one = publish(first, keys).then(first.commit);
    await untilWaiting(database.pool(), 1);
    const other = publish(second, keys.toReversed()).then(second.commit);
    await untilWaiting(database.pool(), 2);
    await holder.rollback();
    await Promise.all([one, other]);
    const { rows } = await database.pool().query('select count(*)::int as count from partnerkit.outbox');
    expect(rows).toEqual([{ count: 2 }]);
  },
);
