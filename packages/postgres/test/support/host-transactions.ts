import pg from 'pg';
import { onTestFinished, vi } from 'vitest';

export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

/** A pool of the host's own, for the length of a test. */
export const openPool = (config: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool(config);
  // A host must: a connection that is lost while nobody uses it would end its process.
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  return pool;
};

/**
 * An open transaction of the host's, with the snapshot that it keeps if it keeps one. It fails where it would have to
 * wait.
 */
export const begin = async (pool: pg.Pool, isolation: Isolation = 'read committed') => {
  const client = await pool.connect();
  let isOpen = true;
  // A test that fails leaves its transaction open, and its pool could not end.
  onTestFinished(() => {
    if (isOpen) client.release(true);
  });
  await client.query(`begin isolation level ${isolation}; set local lock_timeout = '2s'`);
  await client.query('select txid_current()');
  const end = (how: 'commit' | 'rollback') => async () => {
    await client.query(how);
    isOpen = false;
    client.release();
  };
  return { tx: client, commit: end('commit'), rollback: end('rollback') };
};

/** Resolves once so many statements of this database wait for locks. */
export const untilWaiting = async (pool: pg.Pool, count: number): Promise<void> => {
  const waiting = async (): Promise<number> => {
    const { rows } = await pool.query(`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return rows[0].count;
  };
  await vi.waitUntil(async () => (await waiting()) === count, { timeout: 240_000, interval: 10 });
};
