import { shardOf } from '@partnerkit/core/ports';
import type { Child } from '../children.ts';
import { atLeast, compared, inTurns, type Line, type Side } from '../measure.ts';
import { expectCount, metered } from '../meter.ts';
import type { Sized } from '../sizes.ts';
import { engines } from './engines/index.ts';
import type { Kit, KitInput } from './engines/partnerkit.ts';
import { accounts } from './load.ts';
import type { Stage } from './servers.ts';

const made = (count: number, endpoints: string): string => `
  set synchronous_commit = off;
  set maintenance_work_mem = '256MB';
  create temp table made as
    select position, e.account_id, e.id as endpoint_id,
      (lpad(to_hex(1700000000000 + position), 12, '0') || '70008000' || lpad(to_hex(position), 12, '0'))::uuid as id
    from generate_series(1, ${count}) position join (
      select row_number() over (order by account_id, id) as nth, count(*) over () as all, account_id, id
      from partnerkit.endpoints where ${endpoints}
    ) e on e.nth = 1 + position % e.all;
  alter table partnerkit.events drop constraint events_pkey, drop constraint events_timestamp;
  insert into partnerkit.events (account_id, id, shard, object_name, object_id, type, dispatched_at, timestamp, endpoints, body_tail)
  select account_id, id, 0, 'RequestPayment', 'pay_' || position, 'payed', now() - interval '1 day', 1700000000, array[endpoint_id], ''
  from made;
  alter table partnerkit.events add primary key (account_id, id), add constraint events_timestamp unique (account_id, object_id, timestamp);`;

/** A month of deliveries over the existing endpoints. Their events are short, because nobody reads them. */
const month = (finished: number): string => `
  ${made(finished, 'true')}
  alter table partnerkit.attempts drop constraint attempts_pkey;
  insert into partnerkit.attempts (account_id, event_id, endpoint_id, replay, number, shard, at, duration_ms, status, body, state)
  select account_id, id, endpoint_id, 0, 1, 0, now() - interval '1 day', 12, 200, '', 'delivered' from made;
  alter table partnerkit.attempts add primary key (account_id, event_id, endpoint_id, replay, number);`;

/** An endpoint that has failed for long, with its pending deliveries. It selects none of the published types. */
const dead = (waiting: number, endpointId: string, shard: number): string => `
  ${made(waiting, `id = '${endpointId}'`)}
  insert into partnerkit.pending
    (account_id, event_id, endpoint_id, replay, shard, state, due_at, attempts, logged, is_abandoned, is_urgent, since)
  select account_id, id, endpoint_id, 0, ${shard}, case when position % 2 = 0 then 'queued' else 'scheduled' end,
    now() + case when position % 2 = 0 then interval '-1 hour' else interval '1 hour' end, 1, 1, false, false, now() from made;
  insert into partnerkit.health
    (account_id, endpoint_id, failures, failing_since, is_exhausted, open_count, open_until, retry_after_until)
  select account_id, id, 50, now() - interval '1 day', false, 9, now() + interval '1 hour', now()
  from partnerkit.endpoints where id = '${endpointId}';`;

const deadAccount = accounts[0] as string;

/** The cost of a delivery beside many rows, against an empty database. Nothing is sent, so only storage is compared. */
export async function* full(stage: Stage, sized: Sized): AsyncGenerator<Line> {
  const count = sized(10_000, 100);
  const finished = sized(1_000_000, 2_000);
  const waiting = sized(100_000, 2_000);
  const side = async (name: string, fill?: (kit: Child<Kit>) => Promise<string>): Promise<Side> => {
    const input: KitInput = { ...(await stage.input()), sendsNothing: true };
    const kit: Child<Kit> = await stage.start(engines.partnerkit, input, name);
    const pool = stage.pool(input, 1);
    if (fill) for (const statements of [await fill(kit), 'vacuum (analyze)']) await pool.query(statements);
    return async () => {
      await kit.ask('fill', count);
      const before = await kit.ask('stored');
      const sample = await metered(
        async () => ({ units: count, rate: await kit.ask('drain', count) }),
        [kit],
        stage.meter,
      );
      const { rows } = await pool.query('select count(*) from partnerkit.outbox');
      expectCount('Events that wait', Number(rows[0].count), 0);
      expectCount('Stored attempts', (await kit.ask('stored')) - before, count);
      return sample;
    };
  };
  const sides = {
    empty: await side('an empty database'),
    finished: await side('a million finished', async () => month(finished)),
    dead: await side('a dead endpoint', async (kit) =>
      dead(waiting, await kit.ask('createDead', deadAccount), shardOf(deadAccount)),
    ),
  };
  const samples = await inTurns(sides, sized(5, 1));
  const { empty } = samples;
  const endpoint = 'a delivery beside 100,000 waiting ones of a dead endpoint';
  yield compared(
    'a delivery beside 1,000,000 finished ones',
    samples.finished,
    'an empty database',
    empty,
    atLeast(0.95),
  );
  yield compared(endpoint, samples.dead, 'an empty database', empty, atLeast(0.9));
}
