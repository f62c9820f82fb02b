import type { Pool } from 'pg';
import { vi } from 'vitest';

interface IdleWorker {
  /** The connection that listens. */
  readonly pid: number;
}

const find = async (pool: Pool): Promise<IdleWorker | undefined> => {
  const { rows } = await pool.query(
    `select a.pid from partnerkit.idle_workers s, pg_stat_activity a
    where a.query = 'listen "partnerkit:wake"' and a.datname = current_database()`,
  );
  return rows[0];
};

/** Resolves once a worker is idle, in a way that is asked for. */
export const untilIdle = async (
  pool: Pool,
  changed: (now: IdleWorker) => boolean = () => true,
): Promise<IdleWorker> => {
  let idle: IdleWorker | undefined;
  await vi.waitUntil(
    async () => {
      // The server may be away.
      idle = await find(pool).catch(() => undefined);
      return idle !== undefined && changed(idle);
    },
    { timeout: 240_000, interval: 20 },
  );
  return idle as IdleWorker;
};
