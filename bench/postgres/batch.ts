import { shardOf } from '@partnerkit/core/ports';
import type { Figure } from '../measure.ts';
import { eventAt } from './load.ts';
import { newEventAt, startPublisher } from './publisher.ts';
import type { Stage } from './servers.ts';
import { figure, inTurns, rateOf, type Side } from './turns.ts';

const size = 1_000;
const batches = 10;

const unnest = {
  name: 'unnest',
  text: `insert into bare (account_id, id, object_name, object_id, type, stored_at, body_tail, shard)
    select account_id, id, object_name, object_id, type, clock_timestamp(), body_tail, shard
    from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[])
      as given(account_id, id, object_name, object_id, type, body_tail, shard)`,
};

/** A thousand events in one statement. */
export async function* batch(stage: Stage): AsyncGenerator<Figure> {
  const pool = stage.pool(await stage.input(), 1);
  const { storage, kit } = await startPublisher(pool);
  const client = await pool.connect();
  /** Measures only the given work: both sides include their transactions. */
  const side =
    <T>(make: (place: number) => T, store: (given: readonly T[]) => Promise<unknown>): Side =>
    () => {
      const all = Array.from({ length: batches }, () => Array.from({ length: size }, (_, place) => make(place)));
      return rateOf(batches * size, async () => {
        for (const given of all) {
          await client.query('begin');
          await store(given);
          await client.query('commit');
        }
      });
    };
  const rates = await inTurns({
    bare: side(newEventAt, (events) =>
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
    stored: side(newEventAt, (events) => storage.events.append(client, events)),
    published: side(eventAt, (events) => kit.events.publishMany(events, { tx: client })),
  });
  client.release();
  yield figure('store 1,000 events, of a bare insert', 0.7, rates.stored, rates.bare);
  yield figure('publishMany of 1,000, of a bare insert', 0, rates.published, rates.bare);
}
