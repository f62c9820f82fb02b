import pg from 'pg';
import { onTestFinished } from 'vitest';

export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

/** A pool of the host's own, for the length of a test. */
export const openPool = (config: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool(config);
  // As every host of `pg` must: a connection that is lost while nobody uses it would end the process.
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  return pool;
};

/** An open transaction of the host's, with the snapshot that it keeps if it keeps one. It fails where it would have to wait. */
export const begin = async (pool: pg.Pool, isolation: Isolation = 'read committed') => {
  const client = await pool.connect();
  await client.query(`begin isolation level ${isolation}; set local lock_timeout = '2s'`);
  await client.query('select txid_current()');
  const end = (how: 'commit' | 'rollback') => async () => {
    await client.query(how);
    client.release();
  };
  return { tx: client, commit: end('commit'), rollback: end('rollback') };
};
