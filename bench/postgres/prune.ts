import { alone, atMost, inTurns, type Line, type Side, serverCpuMs } from '../measure.ts';
import { expectCount, metered, rateOf, thisProcess } from '../meter.ts';
import type { Sized } from '../sizes.ts';
import { startPublisher } from './publisher.ts';
import type { Stage } from './servers.ts';

/** Events of all shards past their retention, each delivered once. */
const fill = `
  with given as (
    select place % 128 as shard, 'acc_' || place % 128 as account_id, place,
      (lpad(to_hex(1700000000000 + place), 12, '0') || '70008000' || lpad(to_hex(place), 12, '0'))::uuid as id
    from generate_series(1, $1::int) place
  ), stored as (
    insert into partnerkit.events (account_id, id, object_name, object_id, type, stored_at, body_tail)
    select account_id, id, 'RequestPayment', 'pay_' || gen_random_uuid(), 'payed', now() - interval '40 days', repeat('x', 600) from given
  ), dispatched as (
    insert into partnerkit.dispatches (account_id, event_id, shard, object_hash, dispatched_at, timestamp, endpoints)
    select account_id, id, shard, ('x' || left(md5(id::text), 16))::bit(64)::bigint, now() - interval '40 days', 1700000000, array[id]
    from given
  )
  insert into partnerkit.attempts
    (account_id, event_id, endpoint_id, replay, number, at, duration_ms, status, state)
  select account_id, id, id, 0, 1, now() - interval '40 days', 12, 200, 'delivered' from given`;

/** The cost of pruning on the server: a worker without anything to deliver deletes old events and their attempts. */
export async function* prune(stage: Stage, sized: Sized): AsyncGenerator<Line> {
  const count = sized(50_000, 500);
  const pool = stage.pool(await stage.input(), 5);
  const { kit } = await startPublisher(pool);
  const side: Side = async () => {
    await pool.query(fill, [count]);
    await pool.query('update partnerkit.shards set watermark = now()');
    for (const statement of ['vacuum (analyze)', 'checkpoint']) await pool.query(statement);
    const worker = kit.worker();
    const sample = await metered(() => rateOf(count, () => worker.drain()), [thisProcess], stage.meter);
    for (const table of ['events', 'dispatches', 'attempts']) {
      const { rows } = await pool.query(`select count(*) from partnerkit.${table}`);
      expectCount(`Rows left in ${table}`, Number(rows[0].count), 0);
    }
    return sample;
  };
  const { pruning } = await inTurns({ pruning: side }, sized(3, 1));
  yield alone("PostgreSQL's CPU to prune an event", pruning, atMost(0.05), serverCpuMs);
}
