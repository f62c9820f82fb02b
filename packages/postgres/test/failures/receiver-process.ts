// A process of a receiver whose handler takes effect, and marks the event, in a transaction of its own. It fails now
// and then.
import pg from 'pg';
import { createPrng } from '../../../conformance/src/simulator/prng.ts';
import { createReceiver, dedupKey, type Envelope } from '../../../receiver/src/index.ts';
import { secret } from '../../../receiver/test/processes/secret.ts';
import { serve } from '../../../receiver/test/processes/serve.ts';
import { postgresSeenKeys } from '../../src/index.ts';

await serve(async ({ url, nth }) => {
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  const seen = postgresSeenKeys(pool);
  const prng = createPrng(nth);
  const fails = (): boolean => prng.chance(0.02);

  const takeEffect = async (event: Envelope): Promise<void> => {
    const key = dedupKey(event);
    const client = await pool.connect();
    try {
      await client.query('begin');
      const isNew = await seen.markIn(client, key);
      if (fails()) throw new Error('The handler failed.');
      const effect = isNew ? `insert into effects values (${pg.escapeLiteral(key)});` : '';
      // In one go, for there are many.
      await client.query(`${effect} ${fails() ? 'select 1 / 0' : 'commit'}`);
    } catch (cause) {
      await client.query('rollback');
      throw cause;
    } finally {
      client.release();
    }
  };

  const receiver = createReceiver({ secrets: [secret], seen, on: { RequestPayment: { payed: takeEffect } } });
  return { receiver, close: () => pool.end() };
});
