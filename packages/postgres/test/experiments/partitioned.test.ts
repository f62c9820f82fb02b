import { readFile } from 'node:fs/promises';
import { memorySender } from '@partnerkit/core/memory';
import { shardOf } from '@partnerkit/core/ports';
import { type Clock, day, hour, systemClock } from '@partnerkit/core/time';
import { expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const guide = await readFile(new URL('../../../../docs/operations/scale.md', import.meta.url), 'utf8');
const section = guide.split(/^## /m).find((part) => part.startsWith('Partition by day\n')) ?? '';
/** The SQL of the guide: to divide the tables, to add a day, to drop a day. */
const [divide = '', addDay = '', dropDay = ''] = [...section.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql);

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
      `select count(*)::int as count from partnerkit.${table} group by tableoid order by min(${table === 'events' ? 'id' : 'event_id'}::text)`,
    );
  return rows.map(({ count }) => count);
};

test('tables partitioned by day, as in the guide, deliver and prune like plain ones', async () => {
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
  // As the heartbeat of a worker that runs does.
  await database.pool().query('update partnerkit.shards set watermark = now()');
  await storage.log.prune([shardOf('ours')], {
    held: 14 * day,
    deleted: hour,
    events: 60 * day,
    attempts: 12 * hour,
    limit: 1_000,
  });
  expect(await perPartition('attempts')).toEqual([30]);

  // A day with an unfinished delivery stays.
  const unfinished = `insert into partnerkit.pending
    select account_id, id, endpoints[1], 1, shard, 'queued', now(), 0, 0, false, false, now() from partnerkit.events order by id limit 1`;
  await database.pool().query(unfinished);
  const client = await database.pool().connect();
  await expect(client.query(forDay(dropDay, today))).rejects.toThrow('unfinished');
  client.release(true);
  await database.pool().query('delete from partnerkit.pending');

  await database.pool().query(forDay(dropDay, today));
  expect(await perPartition('events')).toEqual([30]);
  // An object of which nothing is left does not get a timestamp again.
  const gone = await database.pool().query('select max(pruned_timestamp)::float8 as timestamp from partnerkit.shards');
  await kit.events.publish({ ...payed('ours', 'first-0'), occurredAt: today }, { tx: 'new' });
  expect(await worker.drain()).toBe(1);
  const { rows } = await database
    .pool()
    .query("select timestamp::float8 from partnerkit.events where object_id = 'first-0'");
  expect(rows).toHaveLength(1);
  expect(rows[0].timestamp).toBeGreaterThan(gone.rows[0].timestamp);
});
