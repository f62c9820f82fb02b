// A host that publishes and delivers until it is killed: one payment and one event in each transaction of its own.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createPool } from 'mysql2/promise';
import { fromMysql2 } from '../../src/index.ts';
import { mysqlStore, storageOver } from '../../src/storage.ts';
import { addEndpoint, openKit, payed } from './kit.ts';
import { turnedTime } from './turned-time.ts';

const [url = '', received = '', mode = 'publish'] = process.argv.slice(2);
const pool = createPool({ uri: url, connectionLimit: 10 });
const storage = storageOver(mysqlStore(fromMysql2(pool), { pollMs: 25, now: turnedTime }));
const kit = openKit(storage, {
  // Durable before it is confirmed, as a receiver on another machine is.
  send: async ({ body }) => {
    appendFileSync(received, `${(JSON.parse(body) as { data: { id: string } }).data.id}\n`);
    return { kind: 'answered', status: 200, body: '', durationMs: 1 };
  },
});

if (mode === 'publish') {
  const { items } = (await kit.endpoints.list('acc', {})).unwrapOr({ items: [] });
  if (items.length === 0) await addEndpoint(kit, 'acc', 'hook');
  kit.worker().start();
  const connection = await pool.getConnection();
  for (let nth = 0; ; nth++) {
    const id = randomUUID();
    await connection.beginTransaction();
    await connection.query('insert into payments values (?)', [id]);
    await kit.events.publish(payed('acc', id), { tx: connection as never });
    if (nth % 5 === 4) await connection.rollback();
    else {
      await connection.commit();
      process.stdout.write(`${id}\n`);
    }
  }
}
await kit.worker().drain();
process.exit(0);
