import { readFile } from 'node:fs/promises';
import { day, hour } from '@partnerkit/core';
import { type Clock, firstIdAt, shardOf, systemClock } from '@partnerkit/core/adapter';
import { memorySender } from '@partnerkit/core/memory';
import { describe, expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { comingDays, firstId } from '../../src/partitions/day.ts';
import { partition } from '../../src/partitions/partition.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const guide = await readFile(new URL('../../../../docs/operations/scale.md', import.meta.url), 'utf8');
const section = guide.split(/^## /m).find((part) => part.startsWith('Partition by day\n')) ?? '';
const [divide = ''] = [...section.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql);

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const suffix = (time: number): string => dayOf(time).replaceAll('-', '');

const query = async (text: string) => (await database.pool().query(text)).rows;
const perPartition = async (table: 'events' | 'dispatches' | 'attempts'): Promise<readonly number[]> => {
  const id = table === 'events' ? 'id' : 'event_id';
  const rows = await query(
    `select count(*)::int as count from partnerkit.${table} group by tableoid order by min(${id}::text)`,
  );
  return rows.map(({ count }) => count);
};
const partitionsOf = async (table: string): Promise<readonly string[]> => {
  const rows = await query(
    `select relname from pg_inherits join pg_class on oid = inhrelid where inhparent = 'partnerkit.${table}'::regclass order by 1`,
  );
  return rows.map(({ relname }) => relname);
};

const dispatched =
  'partnerkit.events e join partnerkit.dispatches d on d.account_id = e.account_id and d.event_id = e.id';

/** Runs the command; tells of each step by its name, and why it was skipped. */
const run = async (keep?: number, days = 1, dryRun = false) => {
  const outcomes = await partition(database.pool(), {
    ...{ schema: 'partnerkit', days, dryRun },
    keep,
  });
  return outcomes.map(({ step: { kind, name }, skipped }) => [kind, name, skipped ?? 'done']);
};
const unfinished = 'it has deliveries that are unfinished or too young';

/** Tables without partitions, as `migrate` makes them, then as the guide makes them. */
const divided = async (): Promise<void> => {
  await database.reset({ storeAhead: 0 });
  for (const table of ['events', 'dispatches', 'attempts']) {
    const names = (await partitionsOf(table)).map((name) => `partnerkit.${name}`);
    if (names.length > 0) await query(`drop table ${names.join()}`);
  }
  await query(divide);
};

/** A worker that delivers what is published; its clock and the store's go on together. */
const startHost = async () => {
  let ahead = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + ahead };
  const storage = postgresStorage(database.pool());
  const kit = openKit(storage, { sender: memorySender(), clock });
  await addEndpoint(kit, 'ours', 'a');
  const worker = kit.worker();
  return {
    ...{ kit, storage, worker },
    elapse: async (time: number): Promise<void> => {
      ahead += time;
      await database.elapse(time);
    },
    deliver: async (name: string, count: number): Promise<void> => {
      const events = Array.from({ length: count }, (_, nth) => payed('ours', `${name}-${nth}`));
      await kit.events.publishMany(events, { tx: 'new' });
      expect(await worker.drain()).toBe(count);
    },
    /** As the heartbeat of a worker that runs does. */
    settle: () => query('update partnerkit.shards set watermark = now()'),
  };
};

test('the bounds of a day are the first ids that the kit makes on it', () => {
  const time = Date.UTC(2026, 10, 22);
  expect(firstId(time)).toBe(firstIdAt(time));
  const [, next] = comingDays(time + 5 * hour, 1);
  expect(next).toEqual({ name: '2026-11-23', from: firstIdAt(time + day), to: firstIdAt(time + 2 * day) });
});

test('tables that are not partitioned are refused, with what to do', async () => {
  await expect(run()).rejects.toThrow(
    /^Not partitioned: "partnerkit"\.(events|dispatches|attempts), .*Partition by day/,
  );
  await expect(partition(database.pool(), { schema: 'none', days: 1, keep: undefined, dryRun: false })).rejects.toThrow(
    'There are no tables in schema "none": run migrate.',
  );
});

describe('tables that are partitioned as in the guide', () => {
  test('deliver and prune like plain ones, and lose whole days', async () => {
    await divided();
    const today = Date.now();
    const tomorrow = today + day;
    expect(await run()).toEqual([
      ['make', dayOf(today), 'done'],
      ['make', dayOf(tomorrow), 'done'],
    ]);
    expect(await run()).toEqual([]);
    const names = (table: string) => [`${table}_${suffix(today)}`, `${table}_${suffix(tomorrow)}`, `${table}_other`];
    for (const table of ['events', 'dispatches', 'attempts']) expect(await partitionsOf(table)).toEqual(names(table));

    const { kit, storage, worker, elapse, deliver, settle } = await startHost();
    await deliver('first', 20);
    await elapse(day);
    await deliver('second', 30);
    for (const table of ['events', 'dispatches', 'attempts'] as const)
      expect(await perPartition(table)).toEqual([20, 30]);

    await elapse(2 * day);
    await settle();
    const first = ['drop', `events_${suffix(today)}`];
    expect(await run(3, 0)).toEqual([['make', dayOf(today + 3 * day), 'done']]);
    // An unfinished delivery, one that a worker may have in memory, a copy for a parent, a timestamp that others of the
    // shard would have to exceed: the day stays.
    for (const [busy, free, why = unfinished] of [
      [
        `insert into partnerkit.pending
         select account_id, event_id, endpoints[1], 1, shard, 'queued', now(), 0, 0, false, false, now() from partnerkit.dispatches order by event_id limit 1`,
        'delete from partnerkit.pending',
      ],
      ['update partnerkit.shards set watermark = to_timestamp(0)', 'update partnerkit.shards set watermark = now()'],
      [
        `insert into partnerkit.parent_propagation (account_id, shard, event_id, object_name, type)
         select account_id, shard, event_id, 'RequestPayment', 'payed' from partnerkit.dispatches order by event_id limit 1`,
        'delete from partnerkit.parent_propagation',
      ],
      [
        `insert into partnerkit.outbox (shard, account_id, event_id, object_hash)
         select shard, account_id, event_id, object_hash from partnerkit.dispatches order by event_id limit 1`,
        'delete from partnerkit.outbox',
      ],
      [
        'update partnerkit.dispatches set timestamp = timestamp + 1000000',
        'update partnerkit.dispatches set timestamp = timestamp - 1000000',
        'it has timestamps that are ahead of the clock',
      ],
    ] as const) {
      await query(busy);
      expect(await run(2, 0)).toEqual([[...first, why]]);
      await query(free);
    }
    expect(await perPartition('events')).toEqual([20, 30]);

    const [largest] = await query(
      `select max(timestamp)::float8 as timestamp from ${dispatched} where object_id like 'first%'`,
    );
    expect(await run(2, 0, true)).toEqual([[...first, 'done']]);
    expect(await perPartition('events')).toEqual([20, 30]);
    expect(await run(2, 0)).toEqual([[...first, 'done']]);
    for (const table of ['events', 'dispatches', 'attempts'] as const) expect(await perPartition(table)).toEqual([30]);
    expect(await run(2, 0)).toEqual([]);

    // Rows of two days stand at the same places of their parts: only those that are too old may go.
    await deliver('third', 10);
    await settle();
    const limits = { held: 14 * day, deleted: hour, events: 12 * hour, limit: 1_000 };
    await storage.log.prune([shardOf('ours')], limits);
    for (const table of ['events', 'dispatches', 'attempts'] as const) expect(await perPartition(table)).toEqual([10]);

    // An object of which nothing is left does not get a timestamp again.
    await kit.events.publish({ ...payed('ours', 'first-0'), occurredAt: today }, { tx: 'new' });
    expect(await worker.drain()).toBe(1);
    const rows = await query(`select timestamp::float8 from ${dispatched} where object_id = 'first-0'`);
    expect(rows).toHaveLength(1);
    expect(rows[0].timestamp).toBeGreaterThan(largest.timestamp);
  });

  test('refuse two events of an object with one timestamp, within a day', async () => {
    await divided();
    await run();
    const { deliver } = await startHost();
    await deliver('one', 1);
    const again = `insert into partnerkit.dispatches (account_id, event_id, shard, object_hash, dispatched_at, timestamp, endpoints)
      select account_id, overlay(event_id::text placing 'f' from 36)::uuid, shard, object_hash, dispatched_at, timestamp, endpoints
      from partnerkit.dispatches`;
    await expect(query(again)).rejects.toMatchObject({ code: '23505' });
  });

  test('keep a day in one place whose events are in the default partition', async () => {
    await divided();
    const { deliver, elapse, settle } = await startHost();
    await deliver('early', 3);
    const today = Date.now();
    expect(await run()).toEqual([
      ['make', dayOf(today), 'events of this day are in the default partition already'],
      ['make', dayOf(today + day), 'done'],
    ]);
    await elapse(5 * day);
    await settle();
    // An empty day goes, too.
    expect((await run(2, 0)).slice(1)).toEqual([['drop', `events_${suffix(today + day)}`, 'done']]);
    expect(await perPartition('events')).toEqual([3]);
  });

  test('are changed beside deliveries, by two processes at once, and by SQL of a dry run', async () => {
    await divided();
    const { kit, worker } = await startHost();
    let isDone = false;
    const published: string[] = [];
    const publishing = (async () => {
      for (let nth = 0; !isDone || nth < 40; nth++) {
        await kit.events.publish(payed('ours', `busy-${nth}`), { tx: 'new' });
        published.push(`busy-${nth}`);
      }
    })();
    await worker.start();
    try {
      const made = (await Promise.all([run(undefined, 5), run(undefined, 5)])).flat();
      const done = made.filter(([, , told]) => told === 'done').map(([, name]) => name);
      const coming = [1, 2, 3, 4, 5].map((nth) => dayOf(Date.now() + nth * day));
      expect(done.filter((name) => coming.includes(String(name))).toSorted()).toEqual(coming);
    } finally {
      isDone = true;
      await publishing;
      await worker.stop();
    }
    await worker.drain();
    const [{ delivered }] = await query(
      `select count(distinct e.object_id)::int as delivered from partnerkit.events e
       join partnerkit.attempts a on a.account_id = e.account_id and a.event_id = e.id where a.state = 'delivered'`,
    );
    expect(delivered).toBe(published.length);
    const outcomes = await partition(database.pool(), { schema: 'partnerkit', days: 6, keep: undefined, dryRun: true });
    await query(outcomes.map(({ step }) => `begin;\n${step.sql}commit;\n`).at(-1) ?? '');
    expect(await run(undefined, 6)).not.toContainEqual(['make', dayOf(Date.now() + 6 * day), 'done']);
  });

  test('that others lock are tried again', async () => {
    await divided();
    const pool = openPool({ connectionString: database.url() });
    const gaveUp = new Promise<void>((resolve) => {
      pool.on('connect', (client) => {
        const query = client.query.bind(client) as (statement: { readonly text?: string }) => unknown;
        Object.assign(client, {
          query: (statement: { readonly text?: string }, ...rest: readonly []) => {
            if (statement.text === 'rollback') resolve();
            return query(statement, ...rest);
          },
        });
      });
    });
    const holder = await database.pool().connect();
    await holder.query('begin; lock table partnerkit.events_other');
    const running = partition(pool, { schema: 'partnerkit', days: 0, keep: undefined, dryRun: false });
    // It gives up at least once, so that others do not wait behind it.
    await Promise.race([gaveUp, running]);
    await holder.query('commit');
    holder.release();
    expect((await running).map(({ step, skipped }) => [step.name, skipped])).toEqual([[dayOf(Date.now()), undefined]]);
    await gaveUp;
  });
});
