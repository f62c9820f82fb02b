import type pg from 'pg';
import { fromPg, type PgClient } from '../../../src/index.ts';
import { type HostTransaction, type OpenHost, openPool } from './host.ts';

export const pgHost: OpenHost<PgClient> = (url, maxConnections) => {
  const pool = openPool(url, maxConnections);
  const own = (client: pg.PoolClient): HostTransaction<PgClient> => ({
    tx: client,
    run: (statement) => client.query(statement),
    savepoint: async (work) => {
      await client.query('savepoint host');
      try {
        await work(own(client));
        await client.query('release savepoint host');
      } catch (cause) {
        await client.query('rollback to savepoint host');
        throw cause;
      }
    },
  });
  return {
    driver: fromPg(pool),
    run: (tx, statement) => tx.query({ text: statement, values: [] }),
    transaction: async (work) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const value = await work(own(client));
        await client.query('commit');
        return value;
      } catch (cause) {
        await client.query('rollback');
        throw cause;
      } finally {
        client.release();
      }
    },
    end: () => pool.end(),
  };
};
