import { shardOf } from '@partnerkit/core/adapter';
import { atLeast, compared, inTurns, type Line, type Side } from '../measure.ts';
import { expectCount, metered, rateOf, thisProcess } from '../meter.ts';
import type { Sized } from '../sizes.ts';
import { eventAt } from './load.ts';
import { newEventAt, startPublisher } from './publisher.ts';
import type { Stage } from './servers.ts';

const size = 1_000;

const unnest = {
  name: 'unnest',
  text: `insert into bare (account_id, id, object_name, object_id, type, stored_at, body_tail, shard)
    select account_id, id, object_name, object_id, type, clock_timestamp(), body_tail, shard
    from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[])
      as given(account_id, id, object_name, object_id, type, body_tail, shard)`,
};

/** A thousand events in one statement. */
export async function* batch(stage: Stage, sized: Sized): AsyncGenerator<Line> {
  const batches = sized(10, 1);
  const pool = stage.pool(await stage.input(), 1);
  const { storage, kit } = await startPublisher(pool);
  const client = await pool.connect();
  /** Measures only the given work: both sides include their transactions. */
  const side =
    <T>(table: string, make: (place: number) => T, store: (given: readonly T[]) => Promise<unknown>): Side =>
    async () => {
      const all = Array.from({ length: batches }, () => Array.from({ length: size }, (_, place) => make(place)));
      const rows = async (): Promise<number> =>
        Number((await client.query(`select count(*) from ${table}`)).rows[0].count);
      const before = await rows();
      const work = async (): Promise<void> => {
        for (const given of all) {
          await client.query('begin');
          await store(given);
          await client.query('commit');
        }
      };
      const sample = await metered(() => rateOf(batches * size, work), [thisProcess], stage.meter);
      expectCount(`New rows of ${table}`, (await rows()) - before, batches * size);
      return sample;
    };
  const sides = {
    'bare insert': side('bare', newEventAt, (events) =>
      client.query({
        ...unnest,
        values: [
          events.map(({ accountId }) => accountId),
          events.map(({ id }) => id),
          events.map(({ objectName }) => objectName),
          events.map(({ objectId }) => objectId),
          events.map(({ type }) => type),
          events.map(({ bodyTail }) => bodyTail),
          events.map(({ accountId }) => shardOf(accountId)),
        ],
      }),
    ),
    append: side('partnerkit.outbox', newEventAt, (events) => storage.events.append(client, events)),
    publishMany: side('partnerkit.outbox', eventAt, (events) => kit.events.publishMany(events, { tx: client })),
  };
  const { 'bare insert': bare, append, publishMany } = await inTurns(sides, sized(5, 1));
  client.release();
  yield compared('store 1,000 events', append, 'a bare insert', bare, atLeast(1));
  yield compared('`publishMany` of 1,000 events', publishMany, 'a bare insert', bare, atLeast(0.75));
}
