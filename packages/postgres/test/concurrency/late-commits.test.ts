import { beforeEach, expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals, names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { begin } from '../support/host-transactions.ts';
import { brokenLaws } from '../support/invariants.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const hour = 3_600_000;

beforeEach(() => database.reset({ storeAhead: 0 }));

const open = async () => {
  const received = arrivals();
  const kit = openKit(postgresStorage(database.pool()), { sender: received });
  await addEndpoint(kit, 'ours', 'ours');
  return { received, kit, worker: kit.worker() };
};

test('an event whose transaction commits an hour late is delivered, after 10,000 later ones were dispatched', async () => {
  const { received, kit, worker } = await open();
  const { tx, commit } = await begin(database.pool());
  await kit.events.publish(payed('ours', 'late'), { tx });

  await database.elapse(hour);
  for (const batch of names(10))
    await kit.events.publishMany(
      names(1_000, batch).map((name) => payed('theirs', name)),
      { tx: 'new' },
    );
  await kit.events.publish(payed('ours', 'later'), { tx: 'new' });
  await worker.drain();
  const { rows } = await database.pool().query('select count(*)::int as count from partnerkit.dispatches');
  expect(rows).toEqual([{ count: 10_001 }]);
  expect([...received.objects]).toEqual(['later']);

  await commit();
  await worker.drain();
  expect([...received.objects]).toEqual(['later', 'late']);
  expect(await brokenLaws(database.pool(), received.posts)).toEqual([]);
});

test('an event that is committed after a later one of its object has a later timestamp', async () => {
  const { received, kit, worker } = await open();
  const { tx, commit } = await begin(database.pool());
  await kit.events.publish(payed('ours', 'p1'), { tx });
  await database.elapse(hour);
  await kit.events.publish(payed('ours', 'p1'), { tx: 'new' });
  await worker.drain();
  await commit();
  await worker.drain();
  const [later, late] = received.posts.map(({ body }) => JSON.parse(body).timestamp);
  expect(late).toBe(later + 1);
  expect(await brokenLaws(database.pool(), received.posts)).toEqual([]);
});
