import { shardOf } from '@partnerkit/core/adapter';
import { atLeast, compared, inTurns, type Line } from '../measure.ts';
import type { Sized } from '../sizes.ts';
import { made, month } from './finished.ts';
import { accounts } from './load.ts';
import type { Stage } from './servers.ts';
import { type StoredInput, storedSide } from './stored.ts';

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
  const side = (name: string, fill?: StoredInput['fill']) =>
    storedSide(stage, { name, count, ...(fill ? { fill } : {}) });
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
