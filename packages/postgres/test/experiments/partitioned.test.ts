import { readFile } from 'node:fs/promises';
import { type Clock, day, hour, systemClock } from '@partnerkit/core';
import { memorySender } from '@partnerkit/core/memory';
import { expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const guide = await readFile(new URL('../../../../docs/scale.md', import.meta.url), 'utf8');
/** The SQL of the guide: to divide the tables, to add a day, to drop a day. */
const [divide = '', addDay = '', dropDay = ''] = [...guide.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql);

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
/** The same for the day of `time`, instead of the day that is shown. */
const forDay = (sql: string, time: number): string => {
  const days = new Map([
    ['2026-11-22', dayOf(time)],
    ['2026-11-23', dayOf(time + day)],
    ['20261122', dayOf(time).replaceAll('-', '')],
  ]);
  return sql.replace(/2026-?11-?\d\d/g, (shown) => days.get(shown) ?? shown);
};

const perPartition = async (table: string): Promise<readonly number[]> => {
  const { rows } = await database
    .pool()
    .query(
      `select count(*)::int as count from partnerkit.${table} group by tableoid order by min(${table === 'events' ? 'id' : 'delivery_id'}::text)`,
    );
  return rows.map(({ count }) => count);
};

test('tables that were divided by day as the guide says deliver, prune and forget as one does', async () => {
  await database.reset({ storeAhead: 0 });
  let ahead = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + ahead };
  const today = Date.now();
  await database.pool().query(divide);
  for (const time of [today, today + day]) await database.pool().query(forDay(addDay, time));

  const storage = postgresStorage(database.pool());
  const kit = openKit(storage, { sender: memorySender(), clock });
  await addEndpoint(kit, 'ours', 'a');
  const worker = kit.worker();
  const deliver = async (name: string, count: number): Promise<void> => {
    const events = Array.from({ length: count }, (_, nth) => payed('ours', `${name}-${nth}`));
    await kit.events.publishMany(events, { tx: 'new' });
    expect(await worker.drain()).toBe(count);
  };
  await deliver('first', 20);
  ahead += day;
  await database.elapse(day);
  await deliver('second', 30);
  expect(await perPartition('events')).toEqual([20, 30]);
  expect(await perPartition('attempts')).toEqual([20, 30]);

  // Rows of two days stand at the same places of their parts: only those that are too old may go.
  await storage.queue.prune({ held: 14 * day, events: 60 * day, attempts: 12 * hour, most: 1_000 });
  expect(await perPartition('attempts')).toEqual([30]);

  await database.pool().query(forDay(dropDay, today));
  expect(await perPartition('events')).toEqual([30]);
  // An object of which nothing is left does not get a second again.
  const gone = await database.pool().query('select second::float8 from partnerkit.pruned');
  await kit.events.publish({ ...payed('ours', 'first-0'), occurredAt: today }, { tx: 'new' });
  expect(await worker.drain()).toBe(1);
  const { rows } = await database
    .pool()
    .query("select second::float8 from partnerkit.events where object_id = 'first-0'");
  expect(rows).toHaveLength(1);
  expect(rows[0].second).toBeGreaterThan(gone.rows[0].second);
});
