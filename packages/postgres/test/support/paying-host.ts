import type { Storage } from '@partnerkit/core/adapter';
import type pg from 'pg';
import type { PayingHost } from '../../../workshop/src/processes/index.ts';

const ignore = (): void => undefined;

/** A host that pays in a table beside those of its storage. */
export const payingHost = (
  pool: pg.Pool,
  storages: readonly Storage<pg.ClientBase>[],
  table: string,
): PayingHost<pg.ClientBase> => ({
  storages,
  pay: async (id, publish) => {
    const client = await pool.connect();
    // Without it, a connection that is lost between two statements ends the process.
    client.on('error', ignore);
    try {
      await client.query('begin');
      await client.query(`insert into ${table} values ($1)`, [id]);
      await publish(client);
      await client.query('commit');
      client.removeListener('error', ignore);
      client.release();
    } catch (cause) {
      client.release(true);
      throw cause;
    }
  },
  payments: async () => (await pool.query<{ id: string }>(`select id from ${table}`)).rows.map(({ id }) => id),
});
