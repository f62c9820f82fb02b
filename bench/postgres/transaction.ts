import { shardOf } from '@partnerkit/core/ports';
import type { PoolClient } from 'pg';
import type { Figure } from '../measure.ts';
import type { Child } from './children.ts';
import { engines } from './engines/index.ts';
import type { Kit } from './engines/partnerkit.ts';
import { eventAt } from './load.ts';
import { newEventAt, startPublisher } from './publisher.ts';
import type { Stage } from './servers.ts';
import { figure, inTurns, rateOf, type Side } from './turns.ts';

const connections = 16;
const transactions = 1_000;
/** Many short rounds: commits wait for a disk that others use. */
const rounds = 9;

const tables = `
  create table payments (id int primary key, state text not null, changes int not null);
  insert into payments select place, 'open', 0 from generate_series(0, ${connections - 1}) place;
  create table entries (id bigint generated always as identity primary key, payment int not null, amount int not null);`;

const pay = { name: 'pay', text: "update payments set state = 'payed', changes = changes + 1 where id = $1" };
const enter = { name: 'enter', text: 'insert into entries (payment, amount) values ($1, $2)' };
const bare = {
  name: 'bare',
  text: `insert into bare (account_id, id, object_name, object_id, type, stored_at, body_tail, shard)
    values ($1, $2::uuid, $3, $4, $5, clock_timestamp(), $6, $7::int)`,
};

/** A transaction of the host: it changes a row, adds one, and publishes, or does the work of the comparison. */
export async function* transaction(stage: Stage): AsyncGenerator<Figure> {
  const input = await stage.input();
  const pool = stage.pool(input, connections);
  const { kit } = await startPublisher(pool);
  await pool.query(tables);
  let place = 0;
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));

  const side =
    (publish?: (client: PoolClient) => Promise<unknown>): Side =>
    () =>
      rateOf(transactions, async () => {
        let left = transactions;
        const lane = async (client: PoolClient, own: number): Promise<void> => {
          while (left-- > 0) {
            await client.query('begin');
            await client.query({ ...pay, values: [own] });
            await client.query({ ...enter, values: [own, 1] });
            await publish?.(client);
            await client.query('commit');
          }
        };
        await Promise.all(clients.map(lane));
      });
  const published = (client: PoolClient) => kit.events.publish(eventAt(place++), { tx: client });
  const inserted = (client: PoolClient) => {
    const { accountId, id, objectName, objectId, type, bodyTail } = newEventAt(place++);
    return client.query({ ...bare, values: [accountId, id, objectName, objectId, type, bodyTail, shardOf(accountId)] });
  };
  const awake = await inTurns({ alone: side(), inserted: side(inserted), published: side(published) }, rounds);
  const idle: Child<Kit> = await stage.start(engines.ours, input);
  await idle.ask('idle');
  const asleep = await inTurns({ inserted: side(inserted), published: side(published) }, rounds);
  for (const client of clients) client.release();

  yield figure('publish in a transaction, of a bare insert', 0.85, awake.published, awake.inserted);
  yield figure('publish in a transaction, of the transaction', 0.55, awake.published, awake.alone);
  yield figure('the same of a bare insert, a worker idle', 0, asleep.published, asleep.inserted);
}
