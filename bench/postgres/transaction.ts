import { shardOf } from '@partnerkit/core/adapter';
import type { PoolClient } from 'pg';
import type { Child } from '../children.ts';
import { atLeast, compared, inTurns, type Line, type Side } from '../measure.ts';
import { expectCount, metered, rateOf, thisProcess } from '../meter.ts';
import type { Sized } from '../sizes.ts';
import { engines } from './engines/index.ts';
import type { Kit } from './engines/partnerkit.ts';
import { eventAt } from './load.ts';
import { newEventAt, startPublisher } from './publisher.ts';
import type { Stage } from './servers.ts';

const connections = 16;

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
export async function* transaction(stage: Stage, sized: Sized): AsyncGenerator<Line> {
  const transactions = sized(1_000, 50);
  /** Many short rounds: commits wait for a disk that others use. */
  const rounds = sized(9, 1);
  const input = await stage.input();
  const pool = stage.pool(input, connections);
  const { kit } = await startPublisher(pool);
  await pool.query(tables);
  let place = 0;
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));

  const side =
    (table?: string, publish?: (client: PoolClient) => Promise<unknown>): Side =>
    async () => {
      const count = async (name: string): Promise<number> =>
        Number((await clients[0]?.query(`select count(*) from ${name}`))?.rows[0].count);
      const counts = () => Promise.all(['entries', table ?? 'entries'].map(count));
      const before = await counts();
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
      const work = () => rateOf(transactions, () => Promise.all(clients.map(lane)));
      const sample = await metered(work, [thisProcess], stage.meter);
      const after = await counts();
      for (const [place, found] of after.entries()) expectCount('New rows', found - (before[place] ?? 0), transactions);
      return sample;
    };
  const published = (client: PoolClient) => kit.events.publish(eventAt(place++), { tx: client });
  const inserted = (client: PoolClient) => {
    const { accountId, id, objectName, objectId, type, bodyTail } = newEventAt(place++);
    return client.query({ ...bare, values: [accountId, id, objectName, objectId, type, bodyTail, shardOf(accountId)] });
  };
  const insert = side('bare', inserted);
  const publish = side('partnerkit.outbox', published);
  const awake = await inTurns({ 'the transaction alone': side(), 'bare insert': insert, publish }, rounds);
  const idle: Child<Kit> = await stage.start(engines.partnerkit, input, 'the idle worker');
  await idle.ask('idle');
  const asleep = await inTurns({ 'bare insert': insert, publish }, rounds);
  for (const client of clients) client.release();

  yield compared('publish in a transaction', awake.publish, 'a bare insert', awake['bare insert'], atLeast(0.9));
  const alone = awake['the transaction alone'];
  yield compared('publish in a transaction', awake.publish, 'the transaction alone', alone, atLeast(0.55));
  yield compared(
    'publish in a transaction, while a worker is idle',
    asleep.publish,
    'a bare insert',
    asleep['bare insert'],
    atLeast(0.8),
  );
}
